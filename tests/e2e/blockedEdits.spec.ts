import { type BrowserContext, expect, type Page, test } from "@playwright/test";
import { Desk, openDesk } from "../support/annotatorDesk";
import { holdBack } from "../support/heldBack";
import type { LiveServer } from "../support/liveServer";

/** Failures that keep edits from the server until the user acts: each is shown, and nothing is lost. */
test.describe.configure({ mode: "serial" });

const [WIDTH, HEIGHT] = [800, 600];
const PASSWORD = "correct horse";

let server: LiveServer;
let context: BrowserContext;
let page: Page;
let desk: Desk;
let images: Awaited<ReturnType<Desk["plainDataset"]>>;
const problems: string[] = [];

const image = (name: string) => images.image(name);
const notice = () => page.locator('[role="alert"]', { has: page.getByRole("link") });
const state = (status: string) => expect(page.locator(`[data-save-state="${status}"]`)).toBeVisible();

async function open(name: string) {
  await desk.open(image(name));
  await desk.saved();
}

async function drawBox() {
  const { at } = await desk.fit(WIDTH, HEIGHT);
  await page.keyboard.press("r");
  await desk.drag([at(100, 100), at(300, 250)]);
}

async function logInAgain() {
  await page.getByLabel("Username").fill("ada");
  await page.getByLabel("Password", { exact: false }).first().fill(PASSWORD);
  await page.getByRole("button", { name: "Login" }).click();
}

const logInAs = (username: string) => desk.api("POST", "user/login", { username, password: PASSWORD });

test.beforeAll(async ({ browser }) => {
  ({ server, context, page, desk } = await openDesk(browser, { viewport: { width: 1280, height: 800 } }, problems));
  images = await desk.plainDataset("Lost", ["car", "dog"], ["a", "b", "c", "d", "e", "f"], WIDTH, HEIGHT);
});

test.afterAll(async () => {
  await context.close();
  await server.remove();
});

test("an expired session is reported while drawing; after signing in again the image opens and everything is sent", async () => {
  await open("a");
  await context.clearCookies();
  await drawBox();
  await state("signed out");
  await expect(notice()).toContainText("Your session has ended. What you draw is saved on this device.");
  await page.keyboard.press("Control+s");
  await expect(page.getByText("sent when you log in again")).toBeVisible();
  await notice().getByRole("link", { name: "Log in" }).click();
  await expect(page).toHaveURL(`${server.url}auth?redirect=${encodeURIComponent(`/annotate/${image("a")}`)}`);
  await logInAgain();
  await expect(page).toHaveURL(`${server.url}annotate/${image("a")}`);
  await desk.saved();
  await expect(notice()).toHaveCount(0);
  expect(await desk.annotations(image("a"))).toHaveLength(1);
});

test("going to the next image without a session opens the login page, then that image", async () => {
  await context.clearCookies();
  await drawBox();
  await state("signed out");
  await page.keyboard.press("n");
  await expect(page).toHaveURL(`${server.url}auth?redirect=${encodeURIComponent(`/annotate/${image("b")}`)}`);
  await logInAgain();
  await expect(page).toHaveURL(`${server.url}annotate/${image("b")}`);
  await desk.saved();
  expect(await desk.annotations(image("a"))).toHaveLength(2);
});

test("a login of another user in the same browser is reported, and nothing is sent as that user", async () => {
  await desk.register("bob");
  await logInAs("ada");
  await open("b");
  // A call that is made as Ada after Bob's login would replace the page with Bob's.
  await page.waitForLoadState("networkidle");
  await logInAs("bob");
  await drawBox();
  await expect(notice()).toContainText("Another user has logged in on this browser");
  await notice().getByRole("link", { name: "Log in" }).click();
  await logInAgain();
  await expect(page).toHaveURL(`${server.url}annotate/${image("b")}`);
  await desk.saved();
  expect((await desk.annotations(image("b"))).map(({ creator }) => creator)).toEqual(["ada"]);
});

test("a server that responds with errors is not reported as unreachable", async () => {
  await page.route("**/api/annotator/edits", (route) => route.fulfill({ status: 500, body: "" }));
  await drawBox();
  await page.keyboard.press("Control+s");
  await expect(page.getByText("The server returns errors. Your work is saved")).toBeVisible();
  await page.unroute("**/api/annotator/edits");
  await page.keyboard.press("Control+s");
  await desk.saved();
  expect(await desk.annotations(image("b"))).toHaveLength(2);
});

test("a deletion of the image is reported at once, and new edits wait until it is restored", async () => {
  await open("c");
  await desk.api("DELETE", `image/${image("c")}`);
  await expect(notice()).toContainText("This image was deleted.");
  await expect(notice().getByRole("link", { name: "Undo page" })).toHaveAttribute("href", /\/undo$/);
  await drawBox();
  await page.keyboard.press("Space");
  await drawBox();
  await state("conflict");
  const button = page.getByRole("button", { name: "Conflict: choose which version stays (2)" });
  await button.click();
  const dialog = page.getByRole("dialog", { name: "Conflicts" });
  await expect(dialog).toContainText("in the trash, or you no longer have access to it");
  await expect(dialog.getByRole("option", { name: "car c.png" })).toHaveCount(2);
  await expect(dialog.getByRole("button", { name: /^Keep/ })).toHaveCount(0);
  await dialog.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByText("The image is still in the trash")).toBeVisible();
  await expect(dialog.getByRole("option")).toHaveCount(2);

  await desk.api("POST", `undo/?id=${image("c")}&instance=image`);
  await expect(notice()).toHaveCount(0);
  await dialog.getByRole("button", { name: "Try all again" }).click();
  await expect(dialog).toBeHidden();
  await desk.saved();
  expect(await desk.annotations(image("c"))).toHaveLength(2);
});

test("the server's reason is shown for a box in a deleted category, which is stored once it is restored", async () => {
  await open("e");
  const { categories } = await desk.scene(image("e"));
  const car = categories.find(({ name }) => name === "car")?.id;
  // The edit is on its way when the category is deleted: later, the page knows that it is gone.
  const edit = await holdBack(page, { method: "POST", path: /^annotator\/edits$/, after: "request" });
  await drawBox();
  await edit.arrived;
  await desk.api("DELETE", `category/${car}`);
  await expect(page.getByText("The category “car” was deleted or removed from the dataset.")).toBeVisible();
  await edit.release();
  await expect(page.getByRole("alert").filter({ hasText: "Not stored" })).toContainText("This category was deleted.");
  await expect(page.getByText("Another user deleted the annotation")).toHaveCount(0);
  await state("conflict");
  await page.goto(`${server.url}conflicts`);
  await expect(page.getByText("The server could not store these changes.")).toBeVisible();
  await expect(page.getByRole("option", { name: "car e.png" })).toHaveCount(1);
  await expect(page.getByRole("status").filter({ hasText: "This category was deleted." })).toBeVisible();
  await expect(page.getByRole("button", { name: /^Keep/ })).toHaveCount(0);
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByRole("button", { name: "Try again" })).toBeEnabled();
  await expect(page.getByRole("option", { name: "car e.png" })).toHaveCount(1);

  await desk.api("POST", `undo/?id=${car}&instance=category`);
  await page.getByRole("button", { name: "Try all again" }).click();
  await expect(page.getByText("All changes made in this browser have been stored.")).toBeVisible();
  expect(await desk.annotations(image("e"))).toHaveLength(1);
});

test("a member who lost access to the image is notified, and may discard edits that cannot be sent", async ({
  browser,
}) => {
  const away = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const ada = { page, desk };
  try {
    page = await away.newPage();
    desk = new Desk(page, server.url);
    await logInAs("bob");
    await ada.desk.api("POST", `dataset/${images.id}/share`, { users: ["bob"] });
    await open("d");
    await ada.desk.api("POST", `dataset/${images.id}/share`, { users: [] });
    await expect(page.getByRole("alert").filter({ hasText: "You no longer have access to this image" })).toBeVisible();
    await drawBox();
    await state("conflict");
    await page.getByRole("button", { name: /^Conflict/ }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Discard" }).click();
    await desk.saved();
  } finally {
    ({ page, desk } = ada);
    await away.close();
  }
});

test("no page has reported an error", () => {
  // The browser logs every refused request.
  expect(problems.filter((each) => !/status of (401|404|500)/.test(each))).toEqual([]);
});
