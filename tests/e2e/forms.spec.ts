import { expect, type Page, test } from "@playwright/test";
import type { getDataset } from "../../shared/api/datasets/datasetImages";
import type { OutputOf } from "../../shared/api/protocol/call";
import { Desk } from "../support/annotatorDesk";
import { holdBack, REFUSAL, refuseCalls } from "../support/heldBack";
import { type LiveServer, startLiveServer } from "../support/liveServer";
import { chooseInSidebar } from "../support/userSteps";

/** Forms: other users' changes while one is open are kept, and each form is sent once. */
test.describe.configure({ mode: "serial" });

let server: LiveServer;
let page: Page;
let desk: Desk;
let datasetId: number;
/** Requests of the page that write or start something. */
const sent: string[] = [];

test.beforeAll(async ({ browser }) => {
  server = await startLiveServer({}, { isEmbedded: true });
  page = await browser.newPage();
  page.on("request", (request) => {
    const path = new URL(request.url()).pathname.slice(1);
    if (!path.startsWith("api/") || (request.method() === "GET" && !path.endsWith("/export"))) return;
    sent.push(`${request.method()} ${path}`);
  });
  desk = new Desk(page, server.url);
  await desk.register("ada");
  for (const username of ["bob", "eve", "ida"])
    await desk.api("POST", "admin/user/", { username, password: "correct horse" });
  ({ id: datasetId } = await desk.dataset("Shop", ["apple", "pear"], {}));
  await desk.api("POST", `dataset/${datasetId}/share`, { users: ["bob"] });
});
test.beforeEach(() => {
  sent.length = 0;
});
test.afterAll(async () => {
  await page.close();
  await server.remove();
});

const dialog = () => page.getByRole("dialog");
const press = (name: string) => dialog().getByRole("button", { name, exact: true }).click();

async function openForm(path: string, of: string, item: string): Promise<void> {
  await page.goto(`${server.url}${path}`);
  await page.getByRole("button", { name: `Menu of ${of}` }).click();
  await page.getByRole("menuitem", { name: item }).click();
  await expect(dialog().getByRole("button", { name: "Cancel" })).toBeVisible();
}

const tags = () => dialog().locator(".mantine-Pill-label");
async function addTag(field: string, name: string): Promise<void> {
  await dialog().getByRole("combobox", { name: field }).fill(name);
  await page.keyboard.press("Enter");
}
type DatasetPage = OutputOf<typeof getDataset>;

test("a category keeps remote changes, and keypoints that both users changed are refused", async () => {
  const face = await desk.api<{ id: number }>("POST", "category/", {
    name: "face",
    color: "#112233",
    keypoint_labels: ["eye"],
    keypoint_colors: ["#ff0000"],
  });
  await openForm("categories", "face", "Edit");
  await desk.api("PUT", `category/${face.id}`, {
    color: "#445566",
    keypoint_labels: ["eye", "nose"],
    keypoint_edges: [[1, 2]],
    keypoint_colors: ["#ff0000", "#00ff00"],
  });
  await dialog().getByLabel("Supercategory").fill("person");
  await press("Update");
  await expect(page.getByText("Category successfully updated")).toBeVisible();
  const now = () => desk.api("GET", `category/${face.id}`);
  const theirs = { color: "#445566", keypoint_labels: ["eye", "nose"], keypoint_edges: [[1, 2]] };
  expect(await now()).toMatchObject({ ...theirs, supercategory: "person" });

  await openForm("categories", "face", "Edit");
  await desk.api("PUT", `category/${face.id}`, { keypoint_labels: ["eye", "nose", "mouth"] });
  await dialog().getByLabel("Label of keypoint 2").fill("beak");
  await press("Update");
  await expect(page.getByText("Another user has changed the keypoints in the meantime.")).toBeVisible();
  await press("Cancel");
  expect(await now()).toMatchObject({ keypoint_labels: ["eye", "nose", "mouth"] });
  // The refusal has reloaded the list.
  await expect(page.getByText("3 keypoints")).toBeVisible();
});

test("a form without changes sends nothing and closes", async () => {
  for (const [path, of, item, button] of [
    ["categories", "face", "Edit", "Update"],
    ["datasets", "Shop", "Edit", "Save"],
    ["datasets", "Shop", "Share", "Share"],
  ] as const) {
    await openForm(path, of, item);
    await press(button);
    await expect(dialog()).toBeHidden();
  }
  await page.goto(`${server.url}admin/panel`);
  await page.getByRole("button", { name: "Edit bob" }).click();
  await press("Save");
  await expect(dialog()).toBeHidden();
  expect(sent).toEqual([]);
});

test("default categories and default metadata keep entries that other users added or removed", async () => {
  await openForm("datasets", "Shop", "Edit");
  await expect(tags()).toHaveText(["apple", "pear"]);
  await desk.api("POST", `dataset/${datasetId}`, {
    categories: ["apple", "pear", "plum"],
    default_annotation_metadata: { ripe: true },
  });
  await dialog().getByRole("button", { name: "Add entry" }).click();
  await dialog().getByLabel("Key 1").fill("weight");
  await dialog().getByLabel("Value 1").fill("5");
  await dialog().locator(".mantine-Pill-remove").first().click();
  await addTag("Default Categories", "fig");
  await expect(tags()).toHaveText(["pear", "fig"]);
  await press("Save");
  await expect(dialog()).toBeHidden();
  const { categories, dataset } = await desk.api<DatasetPage>("GET", `dataset/${datasetId}/data`);
  expect(categories.map(({ name }) => name).sort()).toEqual(["fig", "pear", "plum"]);
  expect(dataset.default_annotation_metadata).toEqual({ ripe: true, weight: 5 });

  const { id: fig } = categories.find(({ name }) => name === "fig")!;
  await openForm("datasets", "Shop", "Edit");
  await desk.api("PUT", `category/${fig}`, { name: "date" });
  await dialog().locator(".mantine-Pill-root", { hasText: "fig" }).locator(".mantine-Pill-remove").click();
  await press("Save");
  await expect(dialog()).toBeHidden();
  const after = await desk.api<DatasetPage>("GET", `dataset/${datasetId}/data`);
  expect(after.categories.map(({ name }) => name).sort()).toEqual(["pear", "plum"]);
});

test("members that other users added or removed stay added or removed", async () => {
  await openForm("datasets", "Shop", "Share");
  await expect(tags()).toHaveText(["bob"]);
  await desk.api("POST", `dataset/${datasetId}/share`, { users: ["eve"] });
  await addTag("Users", "ida");
  await expect(tags()).toHaveText(["bob", "ida"]);
  await press("Share");
  await expect(dialog()).toBeHidden();
  expect(await desk.api("GET", `dataset/${datasetId}`)).toMatchObject({ users: ["eve", "ida"] });
});

test("a user who was made an admin by another admin stays an admin", async () => {
  await page.goto(`${server.url}admin/panel`);
  await page.getByRole("button", { name: "Edit bob" }).click();
  await desk.api("PATCH", "admin/user/bob", { isAdmin: true });
  await dialog().getByLabel("Full Name").fill("Bob B.");
  await press("Save");
  await expect(dialog()).toBeHidden();
  expect(await desk.api("GET", "admin/user/bob")).toMatchObject({ name: "Bob B.", is_admin: true });
});

test("keypoint labels of a category with annotations are only removed after a confirmation", async () => {
  const { image } = await desk.plainDataset("Zoo", ["bird"], ["a"], 64, 48);
  const all = await desk.api<{ id: number; name: string }[]>("GET", "category/");
  const { id } = all.find(({ name }) => name === "bird")!;
  await desk.api("PUT", `category/${id}`, { keypoint_labels: ["beak", "tail"] });
  const keypoints = [10, 10, 2, 20, 20, 2];
  await desk.api("POST", "annotation/", { image_id: image("a"), category_id: id, keypoints });
  const labels = async () => (await desk.api<{ keypoint_labels: string[] }>("GET", `category/${id}`)).keypoint_labels;

  await openForm("categories", "bird", "Edit");
  await dialog().getByRole("button", { name: "Remove keypoint tail" }).click();
  await dialog().getByLabel("Supercategory").fill("animal");
  await press("Update");
  await expect(page.getByRole("dialog", { name: "Remove keypoints" })).toContainText("The category has 1 annotation");
  await expect(dialog().getByRole("listitem")).toHaveText("tail");
  await expect(dialog().getByRole("button", { name: "Cancel" })).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog", { name: "Edit bird" }).getByLabel("Supercategory")).toHaveValue("animal");
  expect(await labels()).toEqual(["beak", "tail"]);
  await press("Update");
  await press("Remove");
  await expect(dialog()).toBeHidden();
  expect(await labels()).toEqual(["beak"]);

  await openForm("categories", "bird", "Edit");
  await dialog().getByLabel("Label of keypoint 1").fill("bill");
  await press("Update");
  await expect(dialog()).toBeHidden();
  expect(await labels()).toEqual(["bill"]);

  await openForm("categories", "bird", "Edit");
  await dialog().getByRole("button", { name: "Remove keypoint bill" }).click();
  await dialog().getByRole("button", { name: "Add keypoint" }).click();
  await dialog().getByLabel("Label of keypoint 1").fill("claw");
  await press("Update");
  await expect(dialog().getByRole("listitem")).toHaveText("bill");
  await press("Remove");
  await expect(dialog()).toBeHidden();
  const claw = await desk.api<{ keypoint_label_ids: number[] }>("GET", `category/${id}`);
  expect(claw).toMatchObject({ keypoint_labels: ["claw"] });
  expect(claw.keypoint_label_ids).not.toContain(1);
});

/** Faster than any user: Enter is pressed again before anything is rendered. */
const submitThrice = () =>
  dialog()
    .locator("form")
    .evaluate((form: HTMLFormElement) => {
      for (let times = 0; times < 3; times++) form.requestSubmit();
    });

test("a form that is submitted three times is sent once", async () => {
  await page.goto(`${server.url}categories`);
  await page.getByRole("button", { name: "Create", exact: true }).click();
  await dialog().getByLabel("Name").fill("hand");
  await submitThrice();
  await expect(dialog()).toBeHidden();
  expect(sent.splice(0)).toEqual(["POST api/category/"]);

  await page.goto(`${server.url}datasets`);
  await page.getByRole("button", { name: "Create", exact: true }).click();
  await dialog().getByLabel("Dataset Name").fill("Once");
  await submitThrice();
  await expect(page.getByText("No images found in directory.")).toBeVisible();
  expect(sent.splice(0)).toEqual(["POST api/dataset/"]);

  await chooseInSidebar(page, "Export COCO");
  await submitThrice();
  await expect(dialog()).toBeHidden();
  await expect(page.getByText("The export is ready on the Exports tab.")).toBeVisible();
  expect(sent.splice(0)).toHaveLength(1);
  // The dialog has stayed mounted: reopened, it can be sent again.
  await chooseInSidebar(page, "Export COCO");
  await submitThrice();
  await expect(dialog()).toBeHidden();
  expect(sent.splice(0)).toHaveLength(1);

  await page.goto(`${server.url}admin/panel`);
  await page.getByRole("button", { name: "Create User" }).click();
  await dialog().getByLabel("Username").fill("bob");
  await dialog().getByLabel("Password", { exact: false }).first().fill("correct horse");
  await submitThrice();
  await expect(page.getByText("Username already exists.")).toBeVisible();
  await dialog().getByLabel("Username").fill("uwe");
  await submitThrice();
  await expect(dialog()).toBeHidden();
  expect(sent).toEqual(["POST api/admin/user/", "POST api/admin/user/"]);
});

test("a dataset is imported once, however often its form is submitted", async () => {
  await page.goto(`${server.url}datasets`);
  await page.getByRole("button", { name: "Import", exact: true }).click();
  const coco = JSON.stringify({ images: [], categories: [], annotations: [] });
  await dialog()
    .locator('input[type="file"]')
    .first()
    .setInputFiles({ name: "Stall.json", mimeType: "application/json", buffer: Buffer.from(coco) });
  await expect(dialog().getByLabel("Dataset Name")).toHaveValue("Stall");
  await submitThrice();
  await expect(dialog().getByRole("button", { name: "Open dataset" })).toBeVisible();
  await expect(page.getByRole("alert")).toHaveCount(0);
  expect(sent.filter((each) => each === "POST api/dataset/")).toHaveLength(1);
});

test("nothing can be typed into a form while it is being sent, and a failure returns the focus", async () => {
  await page.goto(`${server.url}categories`);
  await page.getByRole("button", { name: "Create", exact: true }).click();
  const name = dialog().getByRole("textbox", { name: "Name", exact: true });
  await name.fill("quince");
  const mend = await refuseCalls(page, { method: "POST", path: /^category\/$/ });
  await page.keyboard.press("Enter");
  await expect(page.getByRole("alert").filter({ hasText: REFUSAL })).toBeVisible();
  await expect(name).toBeFocused();
  mend();
  const creation = await holdBack(page, { method: "POST", path: /^category\/$/ });
  await page.keyboard.press("Enter");
  await creation.arrived;
  await expect(name).toBeDisabled();
  await page.keyboard.type(" tree");
  await expect(name).toHaveValue("quince");
  await expect(dialog().getByRole("button", { name: "Cancel" })).toBeEnabled();
  await creation.release();
  await expect(dialog()).toBeHidden();
  await expect(page.getByRole("article", { name: "quince" })).toBeVisible();
});

test("a form that is fading out is not sent", async () => {
  await page.goto(`${server.url}datasets`);
  await page.getByRole("button", { name: "Create", exact: true }).click();
  await dialog().getByLabel("Dataset Name").fill("Never");
  await dialog()
    .locator("form")
    .evaluate(async (form: HTMLFormElement) => {
      form.querySelector("button")?.click();
      await new Promise(requestAnimationFrame);
      form.requestSubmit();
    });
  await expect(dialog()).toBeHidden();
  await expect(page.getByRole("article", { name: "Shop" })).toBeVisible();
  expect(sent).toEqual([]);
});
