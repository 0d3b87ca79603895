import { type BrowserContext, expect, type Page, test } from "@playwright/test";
import { type AnnotateServer, startAnnotateServer } from "../support/annotateServer";
import { Desk } from "../support/annotatorDesk";
import { holdBack } from "../support/heldBack";
import { type LiveServer, startLiveServer } from "../support/liveServer";
import { type OpenverseServer, startOpenverseServer } from "../support/openverseServer";
import { chooseInImageMenu, chooseInSidebar, openSidebarMenu } from "../support/userSteps";

/**
 * Commands whose response arrives late: after they were cancelled or repeated, or while another object is being drawn.
 */
test.describe.configure({ mode: "serial" });

const [WIDTH, HEIGHT] = [800, 600];
let provider: OpenverseServer;
let program: AnnotateServer;
let server: LiveServer;
let context: BrowserContext;
let page: Page;
let desk: Desk;
let images: Awaited<ReturnType<Desk["plainDataset"]>>;
let answerProgram = () => {};

const dialog = () => page.getByRole("dialog");
const toast = (text: string) => page.getByRole("alert").filter({ hasText: text });

test.beforeAll(async ({ browser }) => {
  provider = await startOpenverseServer();
  program = await startAnnotateServer({
    "/late": (response) => {
      const coco = {
        categories: [{ id: 1, name: "car" }],
        annotations: [{ category_id: 1, bbox: [10, 10, 50, 50] }],
      };
      answerProgram = () => void response.end(JSON.stringify({ coco }));
    },
  });
  server = await startLiveServer({ GENERATE_PROVIDER_URL: provider.url, ANNOTATE_ORIGINS: program.origin });
  context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  page = await context.newPage();
  desk = new Desk(page, server.url);
  await desk.register("ada");
  images = await desk.plainDataset("Late", ["car"], ["a", "b"], WIDTH, HEIGHT);
});
test.afterAll(async () => {
  await context.close();
  await server.remove();
  await program.close();
  await provider.close();
});

test("an image search that is cancelled while its request is in flight is stopped", async () => {
  // The provider never responds: the task runs until it is stopped.
  provider.onSearch = () => undefined;
  await page.goto(`${server.url}dataset/${images.id}`);
  await chooseInSidebar(page, "Generate");
  await dialog().getByLabel("Keyword").fill("cats");
  const start = await holdBack(page, { method: "POST", path: /^dataset\/\d+\/generate$/ });
  await dialog().getByRole("button", { name: "Generate" }).click();
  await start.arrived;
  await dialog().getByRole("button", { name: "Cancel" }).click();
  await expect(dialog()).toHaveCount(0);
  await start.release();
  const states = async () => (await desk.api<{ state: string }[]>("GET", "tasks/")).map(({ state }) => state);
  await expect.poll(states).toEqual(["cancelled"]);
  await expect(await openSidebarMenu(page, "Generate")).toBeEnabled();
  await page.keyboard.press("Escape");
});

test("a click outside the form does not lose its keyword", async () => {
  await chooseInSidebar(page, "Generate");
  await dialog().getByLabel("Keyword").fill("dogs");
  await page.mouse.click(20, 700);
  await expect(dialog().getByLabel("Keyword")).toHaveValue("dogs");
  await dialog().getByRole("button", { name: "Cancel" }).click();
});

test("a double click on Annotate sends the image once and does not cancel", async () => {
  await desk.api("POST", `dataset/${images.id}`, { annotate_url: `${program.origin}/late` });
  await desk.open(images.image("b"));
  await page.getByRole("button", { name: "Annotate Image" }).dblclick();
  await expect.poll(() => program.received).not.toBeNull();
  answerProgram();
  await expect(toast("1 annotation added.")).toBeVisible();
  await desk.saved();
  expect(await desk.annotations(images.image("b"))).toHaveLength(1);
  program.received = null;
});

test("shapes found by a program are added while an outline is being drawn", async () => {
  await desk.open(images.image("a"));
  const { at } = await desk.fit(WIDTH, HEIGHT);
  await page.getByRole("button", { name: "Annotate Image" }).click();
  await expect.poll(() => program.received).not.toBeNull();
  await page.keyboard.press("v");
  const corners = [at(200, 200), at(400, 200), at(400, 400), at(200, 400)];
  for (const { x, y } of corners.slice(0, 3)) await page.mouse.click(x, y);
  answerProgram();
  await expect(toast("1 annotation added.")).toBeVisible();
  for (const { x, y } of corners.slice(3)) await page.mouse.click(x, y);
  await page.keyboard.press("Enter");
  await desk.saved();
  const stored = await desk.annotations(images.image("a"));
  expect(stored.map(({ rings }) => rings?.[0]?.[0]?.length).toSorted()).toEqual([8, 8]);
});

test("a category that was stored after its form was left is reported, with its name and its keypoints", async () => {
  await desk.open(images.image("b"));
  await page.getByRole("button", { name: "Edit car" }).click();
  const form = page.getByRole("dialog", { name: "Category car" });
  await form.getByLabel("Name").fill("lorry");
  await form.getByRole("button", { name: "Add keypoint" }).click();
  await form.getByLabel("Label of keypoint 1").fill("lamp");
  const naming = await holdBack(page, { method: "PUT", path: /^category\/\d+$/ });
  await form.getByRole("button", { name: "Update" }).click();
  await naming.arrived;
  await page.keyboard.press("Escape");
  await expect(form).toHaveCount(0);
  await naming.release();
  await expect(toast("The category “lorry” was updated.")).toBeVisible();
  await desk.saved();
  const stored = await desk.api<{ name: string; keypoint_labels: string[] }[]>("GET", "category/");
  expect(stored.map(({ name, keypoint_labels }) => [name, keypoint_labels])).toEqual([["lorry", ["lamp"]]]);
  await page.getByRole("application").first().focus();
  await page.keyboard.press("Control+z");
  await expect
    .poll(async () => (await desk.api<{ keypoint_labels: string[] }[]>("GET", "category/"))[0]?.keypoint_labels)
    .toEqual([]);
  await desk.saved();
});

test("the removal of keypoints cannot be cancelled once it is sent, neither here nor on the Categories page", async () => {
  const [car] = await desk.api<{ id: number; name: string }[]>("GET", "category/");
  const id = car?.id ?? 0;
  const keypoints = [10, 10, 2, 20, 20, 2];
  await desk.api("PUT", `category/${id}`, { keypoint_labels: ["front", "rear"] });
  await desk.api("POST", "annotation/", { image_id: images.image("b"), category_id: id, keypoints });
  const labels = async () => (await desk.api<{ keypoint_labels: string[] }>("GET", `category/${id}`)).keypoint_labels;
  const remove = async (label: string, name: string) => {
    await dialog()
      .getByRole("textbox", { name: "Name", exact: true })
      .or(dialog().getByRole("combobox", { name: "Name" }))
      .fill(name);
    await dialog()
      .getByRole("button", { name: `Remove keypoint ${label}` })
      .click();
    await dialog().getByRole("button", { name: "Update" }).click();
    const sending = await holdBack(page, { method: "PUT", path: /^category\/\d+$/ });
    await dialog().getByRole("button", { name: "Remove", exact: true }).click();
    await sending.arrived;
    await expect(dialog().getByRole("button", { name: "Cancel" })).toBeDisabled();
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog", { name: "Remove keypoints" })).toBeVisible();
    await sending.release();
    await expect(dialog()).toHaveCount(0);
  };
  await desk.open(images.image("b"));
  await page.getByRole("button", { name: "Edit lorry" }).click();
  await remove("rear", "van");
  await desk.saved();
  expect(await labels()).toEqual(["front"]);
  await page.goto(`${server.url}categories`);
  await page.getByRole("button", { name: "Menu of van" }).click();
  await page.getByRole("menuitem", { name: "Edit" }).click();
  await remove("front", "lorry");
  expect(await labels()).toEqual([]);
  await desk.open(images.image("b"));
});

test("an annotate URL that was stored after its form was left is reported, and no metadata is stored", async () => {
  await chooseInImageMenu(page, "Image Settings");
  await dialog().getByLabel("Annotate API").fill(`${program.origin}/other`);
  await dialog().getByRole("button", { name: "Add entry" }).click();
  await dialog().getByLabel("Key 1").fill("weather");
  const storing = await holdBack(page, { method: "POST", path: /^dataset\/\d+$/ });
  await dialog().getByRole("button", { name: "Apply" }).click();
  await storing.arrived;
  await dialog().getByRole("button", { name: "Cancel", exact: true }).click();
  await expect(dialog()).toHaveCount(0);
  await storing.release();
  await expect(toast("The address was saved; nothing else was changed.")).toBeVisible();
  await desk.saved();
  const { image, dataset } = await desk.scene(images.image("b"));
  expect(image.metadata).toEqual({});
  expect(dataset.annotate_url).toBe(`${program.origin}/other`);
});

test("keypoints that another user changed during the request are not overwritten", async () => {
  const [{ id, name } = { id: 0, name: "" }] = await desk.api<{ id: number; name: string }[]>("GET", "category/");
  await page.goto(`${server.url}categories`);
  await page.getByRole("button", { name: `Menu of ${name}` }).click();
  await page.getByRole("menuitem", { name: "Edit" }).click();
  await dialog().getByRole("button", { name: "Add keypoint" }).click();
  await dialog().getByLabel("Label of keypoint 1").fill("mine");
  const sending = await holdBack(page, { method: "PUT", path: /^category\/\d+$/, after: "request" });
  await dialog().getByRole("button", { name: "Update" }).click();
  await sending.arrived;
  await desk.api("PUT", `category/${id}`, { keypoint_labels: ["theirs"] });
  await sending.release();
  await expect(toast("Another user has changed the keypoints in the meantime.")).toBeVisible();
  await expect(dialog().getByLabel("Label of keypoint 1")).toHaveValue("mine");
  expect(await desk.api("GET", `category/${id}`)).toMatchObject({ keypoint_labels: ["theirs"] });
});

/**
 * Fills in an attribute in the open form and sends it, while another user stores another one. Expects that the server
 * refuses it, and that the form stays.
 */
async function sendRefusedAttribute(categoryId: number): Promise<void> {
  await dialog().getByRole("button", { name: "Add attribute" }).click();
  await dialog().getByLabel("Name of the attribute").fill("mine");
  await dialog().getByRole("combobox", { name: "Choices of mine" }).fill("red");
  await page.keyboard.press("Enter");
  const sending = await holdBack(page, { method: "PUT", path: /^category\/\d+$/, after: "request" });
  await dialog().getByRole("button", { name: "Update" }).click();
  await sending.arrived;
  const theirs = { name: "theirs", type: "flag", required: false, default: null, key: null, choices: [] };
  await desk.api("PUT", `category/${categoryId}`, { attributes: [theirs] });
  await sending.release();
  await expect(toast("Another user has changed the attributes in the meantime.")).toBeVisible();
  await expect(dialog().getByLabel("Name of the attribute")).toHaveValue("mine");
}

test("neither name nor attributes are stored if another user changes the attributes during the request", async () => {
  const [{ id, name } = { id: 0, name: "" }] = await desk.api<{ id: number; name: string }[]>("GET", "category/");
  await desk.open(images.image("b"));
  await page.getByRole("button", { name: `Edit ${name}` }).click();
  await dialog().getByRole("combobox", { name: "Name", exact: true }).fill("renamed");
  await sendRefusedAttribute(id);
  expect(await desk.api("GET", `category/${id}`)).toMatchObject({ name, attributes: [{ name: "theirs" }] });
});

test("attributes that another user changed during the request are not overwritten", async () => {
  const { id } = await desk.api<{ id: number }>("POST", "category/", { name: "with attributes" });
  await page.goto(`${server.url}categories`);
  await page.getByRole("button", { name: "Menu of with attributes" }).click();
  await page.getByRole("menuitem", { name: "Edit" }).click();
  await sendRefusedAttribute(id);
  expect(await desk.api("GET", `category/${id}`)).toMatchObject({ attributes: [{ name: "theirs" }] });
});

test("an image that is opened while its edits are being rejected shows what the server has", async () => {
  const made = await desk.plainDataset("Rejected", ["ship"], ["x", "y"], WIDTH, HEIGHT);
  const id = made.image("x");
  const ring = [60, 60, 300, 60, 300, 300, 60, 300];
  await desk.importCoco(made.id, {
    images: [{ id: 1, file_name: "x.png", width: WIDTH, height: HEIGHT }],
    categories: [{ id: 1, name: "ship" }],
    annotations: [{ id: 1, image_id: 1, category_id: 1, segmentation: [ring] }],
  });
  const conflicts = await context.newPage();
  await conflicts.goto(`${server.url}conflicts`);
  await desk.open(id);
  const sending = await holdBack(page, { method: "POST", path: /^annotator\/edits$/, after: "request" });
  await page.keyboard.press("Control+a");
  await page.keyboard.press("Delete");
  await sending.arrived;
  const [annotation] = await desk.annotations(id);
  await desk.api("PUT", `annotation/${annotation?.id}`, { color: "#123456" });
  await page.keyboard.press("n");
  await expect(page.getByRole("application", { name: "Image y.png" })).toBeVisible();
  const loading = await holdBack(page, { path: new RegExp(`^annotator/data/${id}$`) });
  await page.keyboard.press("p");
  await loading.arrived;
  await sending.release();
  await expect(conflicts.getByRole("option")).toBeVisible();
  await loading.release();
  await expect(page.getByRole("application", { name: "Image x.png" })).toBeVisible();
  await expect(page.getByRole("treeitem", { name: "ship (1)" })).toBeVisible();
  await conflicts.getByRole("button", { name: "Keep theirs" }).click();
  await desk.saved();
  await conflicts.close();
});

test("an account is registered once, however often Enter is pressed", async ({ browser }) => {
  const away = await browser.newContext();
  try {
    const visitor = await away.newPage();
    await visitor.goto(`${server.url}auth`);
    await visitor.getByRole("tab", { name: "Register" }).click();
    await visitor.getByLabel("Username").fill("bob");
    await visitor.getByLabel("Password", { exact: false }).first().fill("correct horse");
    await visitor.getByLabel("Confirm Password").fill("correct horse");
    let sent = 0;
    visitor.on("request", (request) => {
      if (request.url().endsWith("/user/register")) sent++;
    });
    await visitor.getByLabel("Confirm Password").evaluate((field: HTMLInputElement) => {
      field.form?.requestSubmit();
      field.form?.requestSubmit();
    });
    await expect(visitor.getByRole("heading", { name: "Datasets" })).toBeVisible();
    await expect(visitor.getByRole("alert")).toHaveCount(0);
    expect(sent).toBe(1);
  } finally {
    await away.close();
  }
});
