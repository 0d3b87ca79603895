import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, type Page, test } from "@playwright/test";
import { holdBack } from "../support/heldBack";
import { upright } from "../support/images";
import { type LiveServer, startLiveServer } from "../support/liveServer";
import { specFolder } from "../support/specFolder";
import { addImages, createDataset, register } from "../support/userSteps";

/** Holds back single responses until the test releases them: commands must only affect what is on the screen. */
test.describe.configure({ mode: "serial" });

const folder = specFolder();
let server: LiveServer;
let page: Page;

const LIST = /^dataset\/1\/data$/;
const ours = { headers: { "X-Requested-With": "test" } };
const get = async (path: string) => (await page.request.get(`${server.url}api/${path}`, ours)).json();
const post = (path: string, data: unknown) => page.request.post(`${server.url}api/${path}`, { ...ours, data });
/** Returns the paths of the images stored on the server. */
const stored = async (query = ""): Promise<string[]> =>
  (await get(`dataset/1/data?limit=100&order=path&${query}`)).images.map(({ path }: { path: string }) => path);

const cards = () => page.getByRole("article");
const tick = (name: string) => page.getByRole("checkbox", { name: `Select ${name}` });
const ticked = () => page.getByRole("checkbox", { name: /^Select /, checked: true });
const bar = () => page.getByRole("toolbar", { name: "Selected images" });
const dialog = () => page.getByRole("dialog");
const toast = (text: string) => page.getByRole("alert").filter({ hasText: text });
const toTop = () => page.getByRole("navigation", { name: "Folder" }).getByRole("button", { name: "Holidays" }).click();
const toTrip = async () => {
  await page.getByRole("navigation", { name: "Subdirectories" }).getByRole("button", { name: "trip" }).click();
  await expect(cards()).toHaveCount(4);
};

test.beforeAll(async ({ browser }) => {
  mkdirSync(join(folder, "trip"));
  const names = [..."abcdefghijkl"].map((name) => `${name}.png`);
  const inTrip = [..."wxyz"].map((name) => `trip/${name}.png`);
  for (const [n, name] of [...names, ...inTrip].entries())
    writeFileSync(
      join(folder, name),
      await upright(n + 1)
        .png()
        .toBuffer(),
    );
  server = await startLiveServer();
  page = await browser.newPage();
  await register(page, server.url);
  await createDataset(page, "Holidays");
  await addImages(
    page,
    names.map((name) => join(folder, name)),
  );
  const uploads = page.getByRole("status", { name: "Uploads" });
  await uploads.getByRole("button", { name: "Close" }).click();
  await page.locator("input[webkitdirectory]").setInputFiles(join(folder, "trip"));
  await expect(page.getByText("4 added")).toBeVisible();
  await uploads.getByRole("button", { name: "Close" }).click();
  await expect(cards()).toHaveCount(16);
  for (const name of ["bob", "carol"])
    await post("admin/user/", { username: name, password: "correct horse", name, isAdmin: false });
});
test.afterAll(async () => {
  await page.close();
  await server.remove();
});

test("selects nothing while the list is loading, then deletes the images that were counted", async () => {
  await toTrip();
  // Responses of the last seconds are cached.
  await page.reload();
  await expect(cards()).toHaveCount(4);
  // The toolbar's code is loaded from now on, so that the toolbar would be visible at once.
  await tick("w.png").click();
  await expect(bar()).toContainText("1 image selected");
  await page.keyboard.press("Escape");
  const list = await holdBack(page, { path: LIST });
  await toTop();
  await list.arrived;
  await expect(cards()).toHaveCount(4);
  await page.keyboard.press("Control+a");
  await expect(ticked()).toHaveCount(0);
  await expect(bar()).toHaveCount(0);
  await list.release();
  await expect(cards()).toHaveCount(16);
  await expect(ticked()).toHaveCount(0);
  await expect(bar()).toHaveCount(0);
  await page.keyboard.press("Control+a");
  await expect(bar()).toContainText("16 images selected");
  await page.keyboard.press("Escape");
  expect(await stored()).toHaveLength(16);
});

test("an image of the previous list is not selected in the next list", async () => {
  const list = await holdBack(page, { path: LIST });
  await page.getByLabel("Contains").fill("b.p");
  await list.arrived;
  await expect(cards()).toHaveCount(16);
  await tick("a.png").click();
  await expect(bar()).toHaveCount(0);
  await list.release();
  await expect(cards()).toHaveCount(1);
  await tick("b.png").click();
  await expect(bar()).toContainText("1 image selected");
  await bar().getByRole("button", { name: "Done", exact: true }).click();
  await expect(page.getByText("1 image was marked.")).toBeVisible();
  expect(await stored("done=true")).toEqual(["b.png"]);
  await page.getByRole("button", { name: "Clear filters" }).click();
  await expect(cards()).toHaveCount(16);
});

test("a selection does not return with its filter", async () => {
  await tick("a.png").click();
  await toTrip();
  await expect(bar()).toHaveCount(0);
  await toTop();
  await expect(cards()).toHaveCount(16);
  await expect(bar()).toHaveCount(0);
});

test("deletes nothing when other images match than those selected, however many, and asks again", async () => {
  await page.getByLabel("Contains").fill("png");
  await expect(page).toHaveURL(/icontains=png/);
  await expect(page.getByText("16 images, 1 page")).toBeVisible();
  await page.getByRole("region", { name: "Images of this folder" }).focus();
  await page.keyboard.press("Control+a");
  await bar().getByRole("button", { name: "Delete" }).click();
  await expect(dialog()).toContainText("Delete 16 images with");
  const [first, second] = (await get("dataset/1/data?order=path")).images;
  const deleted = await post("dataset/1/images/delete", { ids: [second.id] });
  await dialog().getByRole("button", { name: "Delete" }).click();
  const changed = page.getByRole("dialog", { name: "The list has changed" });
  await expect(changed).toContainText("You selected 16 images, but 15 images match now");
  expect(await stored()).toHaveLength(15);
  // One image comes while another goes.
  await post("dataset/1/images/restore", { undo: (await deleted.json()).undo });
  await post("dataset/1/images/delete", { ids: [first.id] });
  await changed.getByRole("button", { name: "Delete" }).click();
  await expect(changed).toContainText("Other images match now than when you selected them.");
  expect(await stored()).toHaveLength(15);
  await changed.getByRole("button", { name: "Delete" }).click();
  await expect(toast("15 images were deleted.")).toBeVisible();
  expect(await stored()).toHaveLength(0);
  await toast("15 images were deleted.").getByRole("button", { name: "Undo", exact: true }).click();
  await expect(cards()).toHaveCount(15);
  await page.getByRole("button", { name: "Clear filters" }).click();
});

test("an image that has left the list is no longer selected", async () => {
  await tick("c.png").click();
  await tick("d.png").click();
  await expect(bar()).toContainText("2 images selected");
  const id = (await get("dataset/1/data?file_name__icontains=c.p")).images[0].id;
  await post("dataset/1/images/delete", { ids: [id] });
  // The list is requested again when a task ends.
  await get("dataset/1/scan");
  await expect(bar()).toContainText("1 image selected");
  await page.keyboard.press("Escape");
});

test("a late response neither clears the next selection nor closes its dialog", async () => {
  const answer = await holdBack(page, { method: "POST", path: /images\/mark$/ });
  await tick("e.png").click();
  await bar().getByRole("button", { name: "Done", exact: true }).click();
  await answer.arrived;
  await tick("f.png").click();
  await tick("e.png").click();
  await bar().getByRole("button", { name: "Delete" }).click();
  await expect(dialog()).toContainText("Delete 1 image with");
  await answer.release();
  await expect(page.getByText("1 image was marked.").last()).toBeVisible();
  await expect(cards().filter({ hasText: "Done" })).toHaveCount(2);
  await expect(dialog()).toBeVisible();
  await dialog().getByRole("button", { name: "Cancel" }).click();
  await expect(dialog()).toBeHidden();
  await expect(bar()).toContainText("1 image selected");
  await expect(tick("f.png")).toBeChecked();
  await page.keyboard.press("Escape");
});

test("no second command starts on a selection that a running command will clear", async () => {
  await tick("e.png").click();
  const answer = await holdBack(page, { method: "POST", path: /images\/move$/ });
  await bar().getByRole("button", { name: "Move" }).click();
  await dialog().getByLabel("Folder").fill("harbour");
  await dialog().getByRole("button", { name: "Move" }).click();
  await answer.arrived;
  await dialog().getByRole("button", { name: "Cancel" }).click();
  await expect(dialog()).toBeHidden();
  for (const name of ["Label", "Move", "Delete"]) await expect(bar().getByRole("button", { name })).toBeDisabled();
  await answer.release();
  const done = toast("1 image was moved.");
  await expect(done).toBeVisible();
  await expect(bar()).toHaveCount(0);
  await done.getByRole("button", { name: "Undo", exact: true }).click();
  await expect.poll(stored).toContain("e.png");
});

test("a deletion is reported and can be undone after its toolbar and its page were closed", async () => {
  // Before the server has it, because the toolbar would close with a new list that has lost the image.
  const answer = await holdBack(page, { method: "POST", path: /images\/delete$/, after: "request" });
  await tick("g.png").click();
  await bar().getByRole("button", { name: "Delete" }).click();
  await dialog().getByRole("button", { name: "Delete" }).click();
  await answer.arrived;
  await dialog().getByRole("button", { name: "Cancel" }).click();
  await bar().getByRole("button", { name: "Clear the selection" }).click();
  await page.getByRole("link", { name: "Categories" }).click();
  await expect(page.getByRole("heading", { name: "Categories" })).toBeVisible();
  await answer.release();
  await expect(page.getByText("1 image was deleted.")).toBeVisible();
  expect(await stored()).not.toContain("g.png");
  await toast("1 image was deleted.").getByRole("button", { name: "Undo", exact: true }).click();
  await expect(page.getByText("1 image was restored.")).toBeVisible();
  expect(await stored()).toContain("g.png");
});

test("a dataset shared with two users in a row has both as members, whichever call arrives last", async () => {
  await page.getByRole("link", { name: "Datasets" }).click();
  const share = async (name: string) => {
    await page.getByRole("button", { name: "Menu of Holidays" }).click();
    await page.getByRole("menuitem", { name: "Share" }).click();
    await dialog().getByRole("combobox", { name: "Users" }).fill(name);
    await page.keyboard.press("Enter");
    await dialog().getByRole("button", { name: "Share" }).click();
  };
  const late = [
    await holdBack(page, { path: /^dataset\/1$/ }),
    await holdBack(page, { path: /^dataset\/1\/share$/, method: "POST", after: "request" }),
  ];
  await share("bob");
  await Promise.race(late.map(({ arrived }) => arrived));
  await dialog().getByRole("button", { name: "Cancel" }).click();
  await expect(dialog()).toBeHidden();
  await share("carol");
  await expect(dialog()).toBeHidden();
  await expect.poll(async () => (await get("dataset/1")).users).toContain("carol");
  for (const { release } of late) await release();
  await expect.poll(async () => (await get("dataset/1")).users).toEqual(["bob", "carol"]);
});

test("two edits of a dataset's categories are both stored, whichever call arrives last", async () => {
  const add = async (name: string) => {
    await page.getByRole("button", { name: "Menu of Holidays" }).click();
    await page.getByRole("menuitem", { name: "Edit" }).click();
    await dialog().getByRole("combobox", { name: "Default Categories" }).fill(name);
    await page.keyboard.press("Enter");
    await dialog().getByRole("button", { name: "Save" }).click();
  };
  const names = async () => (await get("dataset/1/data")).categories.map(({ name }: { name: string }) => name);
  const late = [
    await holdBack(page, { path: LIST }),
    await holdBack(page, { path: /^dataset\/1$/, method: "POST", after: "request" }),
  ];
  await add("boat");
  await Promise.race(late.map(({ arrived }) => arrived));
  await dialog().getByRole("button", { name: "Cancel" }).click();
  await expect(dialog()).toBeHidden();
  await add("buoy");
  await expect(dialog()).toBeHidden();
  await expect.poll(names).toContain("buoy");
  for (const { release } of late) await release();
  await expect.poll(async () => (await names()).toSorted()).toEqual(["boat", "buoy"]);
});

test("two categories created in the annotator are both added to the dataset, whichever call arrives last", async () => {
  const [image] = (await get("dataset/1/data")).images;
  await page.goto(`${server.url}annotate/${image.id}`);
  const form = page.getByRole("dialog", { name: "Create category" });
  const create = async (name: string) => {
    await page.getByRole("button", { name: "Create category" }).first().click();
    await form.getByLabel("Name").fill(name);
    await form.getByRole("button", { name: "Create", exact: true }).click();
  };
  const names = async () => (await get("dataset/1/data")).categories.map(({ name }: { name: string }) => name);
  const late = await holdBack(page, { path: /^category\/$/, method: "POST", after: "request" });
  await create("mast");
  await late.arrived;
  await page.keyboard.press("Escape");
  await expect(form).toBeHidden();
  await create("sail");
  await expect.poll(names).toContain("sail");
  await late.release();
  await expect.poll(async () => (await names()).toSorted()).toEqual(["boat", "buoy", "mast", "sail"]);
});
