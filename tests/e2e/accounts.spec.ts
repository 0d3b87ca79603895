import { type Browser, expect, type Page, test } from "@playwright/test";
import { expectAccessible } from "../support/accessibility";
import { drawScene, renderScene } from "../support/drawnScenes";
import { type LiveServer, startLiveServer } from "../support/liveServer";
import { chooseTool, clickAt, imageFrame } from "../support/userSteps";

/** Accounts in the four roles: anonymous, user, admin, and with login disabled. */
test.describe.configure({ mode: "serial" });

const logIn = async (page: Page, username: string, password: string) => {
  await page.getByLabel("Username").fill(username);
  await page.getByLabel("Password", { exact: false }).first().fill(password);
  await page.getByRole("button", { name: "Login" }).click();
};

test.describe("with login", () => {
  let server: LiveServer;
  let admin: Page;
  let user: Page;
  const newPage = async (browser: Browser) =>
    (await browser.newContext({ viewport: { width: 1280, height: 800 } })).newPage();

  test.beforeAll(async ({ browser }) => {
    server = await startLiveServer({ ALLOW_REGISTRATION: "false" }, { isEmbedded: true });
    admin = await newPage(browser);
    user = await newPage(browser);
  });
  test.afterAll(async () => {
    await admin.close();
    await user.close();
    await server.remove();
  });

  test("a new installation opens its setup page, then the requested page", async () => {
    await admin.goto(`${server.url}auth?redirect=${encodeURIComponent("/admin/panel")}`);
    await expect(admin).toHaveURL(/\/setup\?redirect=/);
    await expect(admin.getByText("create an admin account")).toBeVisible();
    await expect(admin.getByRole("banner")).toHaveCount(0);
    await expect(admin.getByRole("tab")).toHaveCount(1);
    await expectAccessible(admin);
    await admin.getByLabel("Username").fill("boss");
    await admin.getByLabel("Password", { exact: false }).first().fill("boss secret");
    await admin.getByLabel("Confirm Password").fill("boss secret");
    await admin.getByRole("button", { name: "Register" }).click();
    await expect(admin.getByRole("heading", { name: "Users" })).toBeVisible();
    await expect(admin.getByText("1 user account")).toBeVisible();
  });

  test("an admin creates an account while registration is closed", async () => {
    await user.goto(`${server.url}setup`);
    await expect(user).toHaveURL(/\/auth$/);
    await user.getByRole("tab", { name: "Register" }).click();
    await expect(user.getByText("You are not allowed to register new accounts")).toBeVisible();

    await admin.getByRole("button", { name: "Create User" }).click();
    const dialog = admin.getByRole("dialog");
    await dialog.getByLabel("Username").fill("boss");
    await dialog.getByLabel("Password", { exact: false }).first().fill("ann secret");
    await admin.mouse.click(20, 700);
    await dialog.getByRole("button", { name: "Create User" }).click();
    await expect(admin.getByRole("alert").filter({ hasText: "Create User" })).toContainText("Username already exists.");
    await dialog.getByLabel("Username").fill("ann");
    await dialog.getByRole("button", { name: "Create User" }).click();
    await expect(admin.getByRole("cell", { name: "ann", exact: true })).toBeVisible();
    await expect(admin.getByText("2 user accounts")).toBeVisible();
    await expect(dialog).toBeHidden();
    await expectAccessible(admin);
  });

  test("login continues to a page of this application, never to another site", async () => {
    const away = "//evil.example/";
    await user.goto(`${server.url}auth?redirect=${encodeURIComponent(away)}`);
    await logIn(user, "ann", "ann secret");
    await expect(user.getByRole("heading", { name: "Datasets" })).toBeVisible();
    expect(new URL(user.url()).origin).toBe(new URL(server.url).origin);
    await expect(user.getByRole("link", { name: "Admin" })).toHaveCount(0);
    await user.goto(`${server.url}admin/panel`);
    await expect(user.getByText("Access denied")).toBeVisible();
  });

  test("a password is changed by a user who knows the current one", async () => {
    await user.getByRole("button", { name: "Account of ann" }).click();
    await expect(user.getByRole("menuitem", { name: "Admin Panel" })).toHaveCount(0);
    await user.getByRole("menuitem", { name: "User Settings" }).click();
    await expect(user.getByRole("heading", { name: "Hello, ann" })).toBeVisible();
    const change = async (current: string, next: string, confirm = next) => {
      await user.getByLabel("Current Password").fill(current);
      await user.getByLabel("New Password", { exact: true }).fill(next);
      await user.getByLabel("Confirm New Password").fill(confirm);
      await user.getByRole("button", { name: "Change Password" }).click();
    };
    await change("wrong", "1234", "12345");
    await expect(user.getByText("Minimum length of 5 characters.")).toHaveCount(2);
    await expect(user.getByText("Passwords do not match")).toBeVisible();
    await change("wrong", "12345");
    await expect(user.getByText("Password does not match current password")).toBeVisible();
    await change("ann secret", "12345");
    await expect(user.getByText("Password has been changed")).toBeVisible();
    await expect(user.getByLabel("Current Password")).toHaveValue("");
  });

  test("a token is shown once, works, and is revoked", async ({ playwright }) => {
    await user.getByRole("button", { name: "Create Token" }).click();
    await user.getByRole("dialog").getByLabel("Name").fill("laptop");
    await user.getByRole("dialog").getByRole("button", { name: "Create Token" }).click();
    const secret = await user.getByLabel("API token", { exact: true }).inputValue();
    expect(secret).toMatch(/^limn_[\w-]{43}$/);
    await user.getByRole("button", { name: "Done" }).click();
    await expect(user.getByRole("cell", { name: "laptop", exact: true })).toBeVisible();
    expect(await user.content()).not.toContain(secret);
    await expectAccessible(user);
    const script = await playwright.request.newContext({ extraHTTPHeaders: { Authorization: `Bearer ${secret}` } });
    const ask = async () => (await script.get(`${server.url}api/user/`)).status();
    expect(await ask()).toBe(200);
    await user.getByRole("button", { name: "Revoke laptop" }).click();
    await user.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
    await expect(user.getByRole("cell", { name: "laptop", exact: true })).toHaveCount(0);
    expect(await ask()).toBe(401);
    await script.dispose();
  });

  test("the help page is the guide, served by this server", async () => {
    await expect(user.getByRole("link", { name: "Help" })).toHaveAttribute("href", `${server.url}help`);
    await user.goto(`${server.url}help`);
    await expect(user.getByRole("heading", { name: "Labelling with Limn" })).toBeVisible();
    await expect(user.getByRole("img").first()).toHaveJSProperty("complete", true);
    await expectAccessible(user);
  });

  test("two users on one image see each other and each other's drawings", async () => {
    const headers = { "X-Requested-With": "x" };
    const made = await user.request.post(`${server.url}api/dataset/`, {
      data: { name: "Ann's", categories: ["house"] },
      headers,
    });
    const dataset = await made.json();
    const buffer = await renderScene(drawScene(5, 480, 320));
    const image = { name: "field.png", mimeType: "image/png", buffer };
    const multipart = { image, dataset_id: String(dataset.id) };
    const sent = await user.request.post(`${server.url}api/image/`, { multipart, headers });
    const annotate = `${server.url}annotate/${await sent.json()}`;
    await admin.goto(`${server.url}dataset/${dataset.id}`);
    const card = admin.getByRole("article", { name: "field.png" });
    await expect(card).toContainText("No annotations");
    await user.goto(annotate);
    await expect(card).toContainText("Being annotated by ann");
    await admin.goto(annotate);
    await expect(admin.getByText("This image is being annotated by ann")).toBeVisible();
    await expect(user.getByText("This image is being annotated by boss")).toBeVisible();
    await user.getByRole("button", { name: "Dismiss" }).click();
    await expect(user.getByText("This image is being annotated by")).toHaveCount(0);
    await admin.reload();
    await expect(user.getByText("This image is being annotated by boss")).toBeVisible();

    await chooseTool(user, "BBox");
    const { at } = await imageFrame(user, 480, 320);
    await clickAt(user, [at([0.2, 0.2]), at([0.5, 0.6])]);
    await expect(admin.getByRole("treeitem").first()).toContainText("house (1)");

    await user.goto(`${server.url}dataset/${dataset.id}`);
    await expect(admin.getByText("This image is being annotated by")).toHaveCount(0);
    await expect(user.getByRole("article", { name: "field.png" })).toContainText("Being annotated by boss");
    await admin.goto(`${server.url}admin/panel`);
    await expect(user.getByText("Being annotated by")).toHaveCount(0);
  });

  test("an account is deleted after a confirmation and signed out at once; the last admin is not offered for deletion", async () => {
    await user.goto(`${server.url}user`);
    await admin.getByRole("button", { name: "Refresh" }).click();
    await admin.getByRole("button", { name: "Delete ann" }).click();
    await expect(admin.getByRole("dialog")).toContainText(
      "Are you sure you want to delete ann. This action cannot be undone.",
    );
    await expect(admin.getByRole("dialog")).not.toContainText("your own account");
    await admin.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await expect(admin.getByRole("cell", { name: "ann", exact: true })).toHaveCount(0);
    await expect(user).toHaveURL(/\/auth/);

    await admin.getByRole("combobox", { name: "New owner of Ann's" }).fill("boss");
    await admin.getByRole("button", { name: "Hand over" }).click();
    await expect(admin.getByText("Datasets without an owner")).toHaveCount(0);

    await expect(admin.getByRole("button", { name: "Edit boss" })).toBeVisible();
    await expect(admin.getByRole("button", { name: "Delete boss" })).toHaveCount(0);
  });
});

test("shows no account, no user menu and no administration with login disabled", async ({ page }) => {
  const server = await startLiveServer({ LOGIN_DISABLED: "true" }, { isEmbedded: true });
  await page.goto(`${server.url}auth`);
  await expect(page.getByRole("heading", { name: "Datasets" })).toBeVisible();
  await expect(page.getByRole("button", { name: /^Account of/ })).toHaveCount(0);
  await page.goto(`${server.url}user`);
  await expect(page.getByText("Login is disabled on this server")).toBeVisible();
  await expect(page.getByRole("button", { name: "Change Password" })).toHaveCount(0);
  await page.goto(`${server.url}admin/panel`);
  await expect(page.getByText("Access denied")).toBeVisible();
  await page.goto(`${server.url}setup`);
  await expect(page.getByRole("heading", { name: "Datasets" })).toBeVisible();
  await server.remove();
});
