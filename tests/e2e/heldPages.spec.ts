import { type BrowserContext, expect, type Page, test } from "@playwright/test";
import { bandedImage, type Desk, openDesk } from "../support/annotatorDesk";
import { holdBack, refuseCalls } from "../support/heldBack";
import { holdUploads } from "../support/heldUploads";
import type { LiveServer } from "../support/liveServer";

/**
 * Pages other than the dataset's lists, with late responses: what is reported is true, and commands only affect what
 * was shown.
 */
test.describe.configure({ mode: "serial" });

let server: LiveServer;
let context: BrowserContext;
let page: Page;
let desk: Desk;
let shop: Awaited<ReturnType<Desk["plainDataset"]>>;

const dialog = (name?: string) => page.getByRole("dialog", name ? { name } : {});
const toast = (text: string | RegExp) => page.getByRole("alert").filter({ hasText: text });
const press = (name: string) => dialog().getByRole("button", { name, exact: true });

test.beforeAll(async ({ browser }) => {
  ({ server, context, page, desk } = await openDesk(browser, { viewport: { width: 1280, height: 900 } }, []));
  shop = await desk.plainDataset("Shop", ["apple"], ["a", "b"], 80, 60);
});
test.afterEach(() => page.unrouteAll({ behavior: "ignoreErrors" }));
test.afterAll(async () => {
  await context.close();
  await server.remove();
});

test("files that were sent completely are not reported as cancelled, and their outcome is shown", async () => {
  const uploads = await holdUploads(server.url, /dataset\/\d+\/upload/);
  await page.goto(`${uploads.url}dataset/${shop.id}`);
  const chosen = { name: "late.png", mimeType: "image/png", buffer: await bandedImage(80, 61) };
  await page.locator("input[type=file][multiple]:not([webkitdirectory])").first().setInputFiles(chosen);
  await uploads.arrived;
  const panel = page.getByRole("status", { name: "Uploads" });
  await panel.getByRole("button", { name: "Cancel" }).click();
  await expect(panel).toContainText("Waiting for the server's response to files already sent");
  uploads.release();
  await expect(panel).toContainText("1 added");
  await expect(panel).not.toContainText("Cancelled");
  await uploads.close();
});

test("a token created after its form was left is reported, so that it can be revoked", async () => {
  await desk.api("POST", "user/tokens", { name: "first", expires_in_days: 30 });
  const list = await holdBack(page, { path: /^user\/tokens$/ });
  await page.goto(`${server.url}user`);
  await list.arrived;
  const open = page.getByRole("button", { name: "Create Token" });
  const place = await open.boundingBox();
  await list.release();
  await expect(page.getByRole("button", { name: "Revoke first" })).toBeVisible();
  // A list that arrives during a click must not move the button away from under the pointer.
  expect(await open.boundingBox()).toEqual(place);
  await open.click();
  await dialog().getByLabel("Name").fill("script");
  const creation = await holdBack(page, { method: "POST", path: /^user\/tokens$/ });
  await press("Create Token").click();
  await creation.arrived;
  await press("Cancel").click();
  await expect(dialog()).toHaveCount(0);
  await creation.release();
  await expect(toast("The token “script” was created after its form was closed")).toBeVisible();
  await page.getByRole("button", { name: "Revoke script" }).click();
  await press("Revoke").click();
  await expect(page.getByRole("button", { name: "Revoke script" })).toHaveCount(0);
});

test("the links in the navigation bar keep their places when the dataset of the open image is known", async () => {
  const scene = await holdBack(page, { path: /^annotator\/data\/\d+$/ });
  await page.goto(`${server.url}annotate/${shop.image("a")}`);
  await scene.arrived;
  const categories = page.getByRole("link", { name: "Categories" });
  const place = await categories.boundingBox();
  await scene.release();
  await expect(page.getByRole("link", { name: "Shop" })).toBeVisible();
  expect(await categories.boundingBox()).toEqual(place);
});

test("an account created or changed after its form was left is reported, and the next form stays open", async () => {
  await page.goto(`${server.url}admin/panel`);
  const creation = await holdBack(page, { method: "POST", path: /^admin\/user\/$/ });
  await page.getByRole("main").getByRole("button", { name: "Create User" }).click();
  await dialog().getByLabel("Username").fill("bob");
  await dialog().getByLabel("Password").first().fill("correct horse");
  await press("Create User").click();
  await creation.arrived;
  await press("Cancel").click();
  await page.getByRole("main").getByRole("button", { name: "Create User" }).click();
  await dialog().getByLabel("Username").fill("car");
  await creation.release();
  await expect(toast("The account bob was created.")).toBeVisible();
  await expect(dialog().getByLabel("Username")).toHaveValue("car");
  await press("Cancel").click();

  const change = await holdBack(page, { method: "PATCH", path: /^admin\/user\/bob$/ });
  await page.getByRole("button", { name: "Edit bob" }).click();
  await dialog().getByLabel("Name").fill("Bob");
  await press("Save").click();
  await change.arrived;
  await press("Cancel").click();
  await change.release();
  await expect(toast("bob was changed.")).toBeVisible();
});

test("changes sent by a form that was left are reported: categories, members and defaults of a dataset", async () => {
  const leave = async (method: string, path: RegExp, send: string, said: string) => {
    const call = await holdBack(page, { method, path });
    await press(send).click();
    await call.arrived;
    await press("Cancel").click();
    await expect(dialog()).toHaveCount(0);
    await call.release();
    await expect(toast(said)).toBeVisible();
    await page.unrouteAll({ behavior: "ignoreErrors" });
  };
  await page.goto(`${server.url}categories`);
  await page.getByRole("button", { name: "Create", exact: true }).click();
  await dialog().getByRole("textbox", { name: "Name", exact: true }).fill("pear");
  await leave("POST", /^category\/$/, "Create Category", "The category “pear” was created.");
  await page.getByRole("button", { name: "Menu of pear" }).click();
  await page.getByRole("menuitem", { name: "Edit" }).click();
  await dialog().getByRole("button", { name: "Add keypoint" }).click();
  await dialog().getByLabel("Label of keypoint 1").fill("stem");
  await leave("PUT", /^category\/\d+$/, "Update", "Category successfully updated");

  await page.goto(`${server.url}datasets`);
  await page.getByRole("button", { name: "Menu of Shop" }).click();
  await page.getByRole("menuitem", { name: "Share" }).click();
  await dialog().getByRole("combobox", { name: "Users" }).fill("bob");
  await page.keyboard.press("Enter");
  await leave("POST", /^dataset\/\d+\/share$/, "Share", "The members were changed.");
  await page.getByRole("button", { name: "Menu of Shop" }).click();
  await page.getByRole("menuitem", { name: "Edit" }).click();
  await dialog().getByRole("combobox", { name: "Default Categories" }).fill("pear");
  await page.keyboard.press("Enter");
  await leave("POST", /^dataset\/\d+$/, "Save", "The dataset was changed.");
});

const boxes = (category: string) => ({
  images: [{ id: 1, file_name: "a.png", width: 80, height: 60 }],
  categories: [{ id: 1, name: category }],
  annotations: [{ id: 1, image_id: 1, category_id: 1, bbox: [1, 1, 5, 5], area: 25, iscrowd: 0 }],
});

test("undoes the import that was confirmed, not one that has appeared since", async () => {
  await page.goto(`${server.url}dataset/${shop.id}`);
  await expect(page.getByRole("article", { name: "a.png" })).toBeVisible();
  await desk.importCoco(shop.id, boxes("first"));
  const report = dialog("Import of annotations");
  await report.getByRole("button", { name: "Undo import" }).click();
  await expect(dialog("Undo import")).toContainText("coco.json");
  const imports = () => desk.api<{ id: number; state: string }[]>("GET", `dataset/${shop.id}/imports`);
  // The list is requested again when a task ends.
  const refreshed = page.waitForResponse(async (response) => {
    if (!response.url().endsWith("/imports")) return false;
    const list: { state: string }[] = await response.json();
    return list.length === 2 && list.every(({ state }) => state === "complete");
  });
  await desk.importCoco(shop.id, boxes("second"));
  await refreshed;
  await dialog("Undo import").getByRole("button", { name: "Undo import" }).click();
  await expect
    .poll(async () => (await imports()).toSorted((a, b) => a.id - b.id).map(({ state }) => state))
    .toEqual(["undone", "complete"]);
});

test("an earlier import's report is not shown in place of the newest, if the list of imports fails", async () => {
  await page.reload();
  await expect(page.getByRole("article", { name: "a.png" })).toBeVisible();
  await desk.importCoco(shop.id, boxes("third"));
  const report = dialog("Import of annotations");
  await expect(report.getByText("third")).toHaveCount(1);
  await page.keyboard.press("Escape");
  await expect(report).toHaveCount(0);
  const mend = await refuseCalls(page, { path: /^dataset\/\d+\/imports$/ });
  await desk.importCoco(shop.id, boxes("fourth"));
  await expect(report.getByRole("button", { name: "Try again" })).toBeVisible();
  await expect(report.getByRole("button", { name: "Undo import" })).toHaveCount(0);
  mend();
  await report.getByRole("button", { name: "Try again" }).click();
  await expect(report.getByText("fourth")).toHaveCount(1);
  await page.keyboard.press("Escape");
});

test("commands whose page was left are reported: a dataset, an image, a token and preferences", async () => {
  await desk.api("POST", "user/tokens", { name: "robot", expires_in_days: null });
  const leave = async (method: string, path: RegExp, send: string, said: string) => {
    const call = await holdBack(page, { method, path });
    await press(send).click();
    await call.arrived;
    await page.goBack();
    await expect(dialog()).toHaveCount(0);
    await call.release();
    await expect(toast(said)).toHaveCount(1);
    await page.unrouteAll({ behavior: "ignoreErrors" });
  };
  const visit = async (link: string) => {
    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: link }).click();
    await expect(page.getByRole("heading", { name: link })).toBeVisible();
  };
  await page.goto(`${server.url}tasks`);
  await visit("Datasets");
  await page.getByRole("button", { name: "Create", exact: true }).click();
  await dialog().getByLabel("Dataset Name").fill("Stall");
  await leave("POST", /^dataset\/$/, "Create Dataset", "The dataset “Stall” was created.");
  await visit("Datasets");
  await page.getByRole("article", { name: "Shop" }).getByRole("link", { name: "Shop" }).click();
  await page.getByRole("button", { name: "Menu of b.png" }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await leave("DELETE", /^image\/\d+$/, "Delete", "The image “b.png” was moved to the trash.");
  for (const [open, method, path, send, said] of [
    ["Revoke robot", "DELETE", /^user\/tokens\/\d+$/, "Revoke", "The token “robot” was revoked."],
    ["Reset Tool Settings", "DELETE", /^user\/preferences$/, "Reset", "Tools and shortcuts were reset"],
  ] as const) {
    await page.getByRole("button", { name: "Account of ada" }).click();
    await page.getByRole("menuitem", { name: "User Settings" }).click();
    await page.getByRole("button", { name: open }).click();
    await leave(method, path, send, said);
  }
});

test("the dialog for offline copies does not show the previous filter's number of images", async () => {
  await page.goto(`${server.url}dataset/${shop.id}`);
  await expect(page.getByRole("article", { name: "a.png" })).toBeVisible();
  const list = await holdBack(page, { path: /^dataset\/\d+\/data$/ });
  await page.getByLabel("Contains").fill("a.p");
  await list.arrived;
  await page.getByRole("button", { name: "Available offline…" }).click();
  await expect(dialog().getByRole("radio", { name: "The current filter", exact: true })).toBeVisible();
  await list.release();
  await expect(dialog().getByRole("radio", { name: "The current filter: 1 image" })).toBeVisible();
  await page.keyboard.press("Escape");
});

test("lists of members and exports are requested again after they failed", async () => {
  for (const [tab, path] of [
    ["Members", /^dataset\/\d+\/users$/],
    ["Exports", /^dataset\/\d+\/exports$/],
  ] as const) {
    const mend = await refuseCalls(page, { path });
    await page.goto(`${server.url}dataset/${shop.id}`);
    await page.getByRole("tab", { name: tab }).click();
    const panel = page.getByRole("tabpanel");
    await expect(panel.getByRole("button", { name: "Try again" })).toBeVisible();
    await expect(panel.getByText("No exports yet")).toHaveCount(0);
    mend();
    await panel.getByRole("button", { name: "Try again" }).click();
    await expect(panel.getByRole("button", { name: "Try again" })).toHaveCount(0);
  }
});
