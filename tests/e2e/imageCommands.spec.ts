import { readFileSync } from "node:fs";
import { type BrowserContext, type Download, expect, type Page, test } from "@playwright/test";
import { expectAccessible } from "../support/accessibility";
import { type AnnotateServer, startAnnotateServer } from "../support/annotateServer";
import { bandedImage, Desk } from "../support/annotatorDesk";
import { type LiveServer, startLiveServer } from "../support/liveServer";
import { chooseInImageMenu, openSidebarMenu } from "../support/userSteps";

/** The annotator's commands beyond the open image: copy, annotate, download, delete, and presence. */
test.describe.configure({ mode: "serial" });

const WIDTH = 800;
const HEIGHT = 600;
const FILES = ["a", "b", "c", "d", "e", "f"];
const SQUARE = [100, 100, 300, 100, 300, 300, 100, 300];

let server: LiveServer;
let program: AnnotateServer;
let context: BrowserContext;
let page: Page;
let desk: Desk;
let images: Awaited<ReturnType<Desk["dataset"]>>;
let bytes: Buffer;
let release: () => void = () => undefined;
const ids = new Map<string, number>();

const image = (name: string) => images.image(`${name}.png`);
const button = (name: string | RegExp) => page.getByRole("navigation", { name: "Tools" }).getByRole("button", { name });
const dialog = () => page.getByRole("dialog");
const toast = (text: string) => page.getByRole("alert").filter({ hasText: text });
const make = (image_id: number, category: string, more: object = { segmentation: [SQUARE] }) =>
  desk.api("POST", "annotation/", { image_id, category_id: ids.get(category), ...more });
const setUrl = (annotate_url: string) => desk.api("POST", `dataset/${images.id}`, { annotate_url });

async function count(name: string) {
  await desk.saved();
  return (await desk.annotations(image(name))).length;
}

/** Undoes one step and redoes it, and expects `before` and `after` annotations. */
async function expectOneStep(name: string, before: number, after: number) {
  await expect.poll(() => count(name)).toBe(after);
  await page.keyboard.press("Control+z");
  await expect.poll(() => count(name)).toBe(before);
  await page.keyboard.press("Control+Shift+z");
  await expect.poll(() => count(name)).toBe(after);
}

async function dismissToasts() {
  const toasts = page.getByRole("alert");
  await expect(async () => {
    // Later toasts move up when one is closed.
    while ((await toasts.count()) > 0) await toasts.first().getByRole("button").click({ timeout: 1000 });
  }).toPass();
}

const coco = (
  annotations: object[],
  categories: object[] = [
    { id: 1, name: "CAR" },
    { id: 2, name: "boat" },
  ],
) => ({
  coco: { images: [{ id: 1, width: WIDTH, height: HEIGHT }], categories, annotations },
});
const good = coco([
  { category_id: 1, segmentation: [SQUARE] },
  { category_id: 1, segmentation: [SQUARE], isbbox: true },
  { category_id: 1, segmentation: { size: [6, 8], counts: [0, 14, 2, 4, 2, 26] } },
  { category_id: 1, segmentation: [[-50, 0, 9000, 0, 9000, 9000]] },
  { category_id: 2, segmentation: [SQUARE] },
  { category_id: 1, segmentation: "x" },
]);

test.beforeAll(async ({ browser }) => {
  const json = (value: unknown) => (response: { end: (text: string) => void }) => response.end(JSON.stringify(value));
  program = await startAnnotateServer({
    "/good": json(good),
    "/closed": json(good),
    "/nothing": json(coco([])),
    "/html": (response) => response.end("<html>"),
    "/other": json([1]),
    "/broken": (response) => response.writeHead(500).end(),
    "/slow": (response) => {
      release = () => response.end(JSON.stringify(good));
    },
  });
  server = await startLiveServer();
  context = await browser.newContext({ viewport: { width: 1280, height: 900 }, acceptDownloads: true });
  page = await context.newPage();
  desk = new Desk(page, server.url);
  await desk.register("ada");
  bytes = await bandedImage(WIDTH, HEIGHT);
  const files = Object.fromEntries(FILES.map((name) => [`${name}.png`, bytes]));
  images = await desk.dataset("Beyond", ["car", "dog"], {
    ...files,
    "small.png": await bandedImage(WIDTH / 2, HEIGHT / 2),
  });
  const { categories } = await desk.scene(image("a"));
  for (const { name, id } of categories) ids.set(name, id);
  await make(image("a"), "car", { segmentation: [SQUARE], color: "#abcdef", metadata: { name: "Herbie" } });
  await make(image("a"), "dog");
  await make(image("a"), "dog", {});
});

test.afterAll(async () => {
  await context.close();
  await server.remove();
  await program.close();
});

test("copying requires the ID of another existing image", async () => {
  await desk.open(image("b"));
  await button("Copy Annotations").click();
  await expect(dialog().getByText("Copy Annotations From Image")).toBeVisible();
  const field = dialog().getByLabel("Image ID");
  await field.press("Enter");
  await expect(dialog().getByText("Enter a valid image ID")).toBeVisible();
  await field.fill("x1");
  await expect(dialog().getByText("Value must be a number")).toBeVisible();
  await field.fill(String(image("b")));
  await expect(dialog().getByText("Sorry, you can not clone the same image")).toBeVisible();
  await field.fill("99999");
  await expect(dialog().getByText("No image has this ID, or you have no access to it.")).toBeVisible();
  await dialog().getByRole("button", { name: "Next Image" }).click();
  await expect(field).toHaveValue(String(image("c")));
  await dialog().getByRole("button", { name: "Previous Image" }).click();
  await expect(field).toHaveValue(String(image("a")));
  await expect(dialog().getByText("a.png: 2 annotations to copy")).toBeVisible();
  await page.keyboard.press("Escape");
});

test("copied annotations are one undo step, limited to the chosen categories, with the colour and name but a new creator", async () => {
  await button("Copy Annotations").click();
  await dialog().getByRole("button", { name: "Previous Image" }).click();
  await expect(dialog().getByText("2 annotations to copy")).toBeVisible();
  await dialog().locator(".mantine-Pill-root", { hasText: "dog" }).getByRole("button", { includeHidden: true }).click();
  await expect(dialog().getByText("1 annotation to copy")).toBeVisible();
  await dialog().getByRole("button", { name: "Copy", exact: true }).click();
  await expect(toast("1 annotation copied.")).toBeVisible();
  await expectOneStep("b", 0, 1);
  const [copy] = await desk.annotations(image("b"));
  const [source] = await desk.annotations(image("a"));
  expect(copy).toMatchObject({ rings: [[SQUARE]], color: "#abcdef", metadata: { name: "Herbie" }, creator: "ada" });
  expect(copy?.uuid).not.toBe(source?.uuid);
  await dismissToasts();
});

test("the first image has no previous image, and copies from an image of another size are scaled on request", async () => {
  await desk.open(image("small"));
  await button("Copy Annotations").click();
  await expect(dialog().getByRole("button", { name: "Next Image" })).toBeDisabled();
  await dialog()
    .getByLabel("Image ID")
    .fill(String(image("a")));
  await expect(dialog().getByText("That image has 800 × 600 pixels, this image has 400 × 300.")).toBeVisible();
  await dialog().getByRole("button", { name: "Copy", exact: true }).click();
  await expect(dialog().getByText("The sizes do not match")).toBeVisible();
  await dialog().getByLabel("Scale to this image").check();
  await dialog().getByRole("button", { name: "Copy", exact: true }).click();
  await expectOneStep("small", 0, 2);
  expect(await desk.rings(image("small"))).toEqual([[SQUARE.map((value) => value / 2)]]);
  await dismissToasts();
});

test("the annotate button shows a message and does nothing without an annotate URL", async () => {
  await desk.open(image("c"));
  const annotate = button("Annotate Image");
  await expect(annotate).toHaveAttribute("aria-disabled", "true");
  await expect(annotate).toHaveAccessibleDescription("Annotate url is invalid");
});

test("adds the annotations of an annotate URL as one undo step, and sends it only the image", async () => {
  await setUrl(`${program.origin}/good`);
  await desk.open(image("c"));
  await button("Annotate Image").click();
  await expect(toast("4 annotations added.")).toContainText("2 left out");
  await expectOneStep("c", 0, 4);
  const found = await desk.annotations(image("c"));
  expect(found.map(({ isbbox }) => isbbox)).toEqual([false, true, false, false]);
  expect(found[2]?.rings?.[0]).toHaveLength(2);
  expect(found[3]?.rings).toEqual([[[0, 0, WIDTH, 0, WIDTH, HEIGHT]]]);
  const { headers, body } = program.received ?? { headers: {}, body: Buffer.alloc(0) };
  expect(body.includes(bytes)).toBe(true);
  expect(body.toString("latin1")).toContain('name="image"; filename="c.png"');
  expect([headers.cookie, headers.referer]).toEqual([undefined, undefined]);
  await dismissToasts();
});

test("shows a message when the annotate URL finds nothing", async () => {
  await setUrl(`${program.origin}/nothing`);
  await desk.open(image("d"));
  await button("Annotate Image").click();
  await expect(toast("Nothing was found in this image.")).toBeVisible();
  await dismissToasts();
});

for (const [path, reason] of [
  ["/broken", "responded with status 500"],
  ["/html", "The response is not JSON."],
  ["/other", 'The response has no "coco"'],
  ["/closed", "(CORS)"],
] as const)
  test(`shows the reason for a failure: ${path}`, async () => {
    await setUrl(`${program.origin}${path}`);
    await desk.open(image("d"));
    await button("Annotate Image").click();
    await expect(toast("Could not read data from URL")).toContainText(reason);
    expect(await count("d")).toBe(0);
    await dismissToasts();
  });

test("a refused origin is named with the setting that allows it", async () => {
  await page.route("**/api/annotator/data/**", async (route) => {
    const answer = await route.fetch();
    const scene = await answer.json();
    await route.fulfill({
      response: answer,
      json: { ...scene, dataset: { ...scene.dataset, annotate_url: "http://annotate.invalid/x" } },
    });
  });
  await desk.open(image("d"));
  await button("Annotate Image").click();
  await expect(toast("Could not read data from URL")).toContainText("http://annotate.invalid is not allowed");
  await expect(toast("Could not read data from URL")).toContainText("ANNOTATE_ORIGINS");
  await page.unroute("**/api/annotator/data/**");
  await dismissToasts();
});

test("a second press or Escape cancels a running request, whose late response changes nothing", async () => {
  await setUrl(`${program.origin}/slow`);
  await desk.open(image("d"));
  for (const cancel of ["press", "Escape"]) {
    program.received = null;
    await button("Annotate Image").click();
    await expect(button(/^Annotating Image/)).toBeVisible();
    await expect.poll(() => program.received).not.toBeNull();
    if (cancel === "press") await button(/^Annotating Image/).click();
    else await page.keyboard.press("Escape");
    await expect(button("Annotate Image")).toBeVisible();
    release();
    expect(await count("d")).toBe(0);
    await expect(page.getByRole("alert")).toHaveCount(0);
  }
});

/** Presses the download button. Returns the paths of both files by name. */
async function downloadBoth(): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  const both = new Promise<void>((done) => {
    const note = async (file: Download) => {
      files.set(file.suggestedFilename(), await file.path());
      if (files.size < 2) return;
      page.off("download", note);
      done();
    };
    page.on("download", note);
  });
  await chooseInImageMenu(page, "Download Image & COCO");
  await both;
  return files;
}

test("download saves first, then downloads the image and its COCO file", async () => {
  await desk.open(image("c"));
  const files = await downloadBoth();
  expect([...files.keys()].sort()).toEqual(["c.json", "c.png"]);
  expect(readFileSync(files.get("c.png") ?? "")).toEqual(bytes);
  const file = JSON.parse(readFileSync(files.get("c.json") ?? "", "utf8"));
  expect(file.annotations).toHaveLength(4);
});

test("offline, commands that need the server say so, and the open image can be downloaded", async () => {
  await desk.open(image("e"));
  await context.setOffline(true);
  await button("Copy Annotations").click();
  await dialog().getByRole("button", { name: "Next Image" }).click();
  await expect(dialog().getByText("The server cannot be reached.")).toBeVisible();
  await dialog().getByRole("button", { name: "Copy", exact: true }).click();
  await expect(toast("Copying Annotations")).toContainText("The server cannot be reached.");
  await dialog().getByRole("button", { name: "Cancel" }).click();
  await button("Image Menu").click();
  const remove = page.getByRole("menuitem", { name: "Delete Image" });
  await expect(remove).toHaveAccessibleDescription("Not available offline: this needs the server.");
  await page.keyboard.press("Escape");
  const files = await downloadBoth();
  expect([...files.keys()].sort()).toEqual(["e.json", "e.png"]);
  expect(readFileSync(files.get("e.png") ?? "")).toEqual(bytes);
  expect(JSON.parse(readFileSync(files.get("e.json") ?? "", "utf8")).images).toHaveLength(1);
  await expect(page.getByLabel("Image e.png")).toBeVisible();
  await context.setOffline(false);
  await desk.saved();
  await dismissToasts();
});

test("delete asks with the image's name, then opens the next image, or the previous one after the last", async () => {
  await make(image("e"), "car");
  await desk.open(image("e"), "?order=file_name&file_name__icontains=e.png");
  await chooseInImageMenu(page, "Delete Image");
  await expect(dialog()).toContainText("Delete e.png with its 1 annotation?");
  await dialog().getByRole("button", { name: "Cancel" }).click();
  await desk.open(image("e"), "?order=file_name");
  for (const [name, then] of [
    ["e", "f"],
    ["f", "small"],
    ["small", "d"],
  ]) {
    await expect(page.getByLabel(`Image ${name}.png`)).toBeVisible();
    await chooseInImageMenu(page, "Delete Image");
    await dialog().getByRole("button", { name: "Delete" }).click();
    await expect(toast(`${name}.png is in the trash. You can restore it on the Undo page.`)).toBeVisible();
    await expect(page.getByLabel(`Image ${then}.png`)).toBeVisible();
    expect(page.url()).toContain("?order=file_name");
  }
});

test("the dataset opens after its last image was deleted", async () => {
  await desk.open(image("d"), "?file_name__icontains=d.png");
  await chooseInImageMenu(page, "Delete Image");
  await expect(dialog()).toContainText("it has no annotations");
  await dialog().getByRole("button", { name: "Delete" }).click();
  await expect(page).toHaveURL(new RegExp(`/dataset/${images.id}\\?file_name__icontains=d.png$`));
});

test("a member of the dataset sees no buttons that are reserved for its owner", async ({ browser }) => {
  const other = await browser.newContext();
  const mia = new Desk(await other.newPage(), server.url);
  await mia.register("mia");
  await desk.api("POST", `dataset/${images.id}/share`, { users: ["mia"] });
  await mia.open(image("a"));
  const bar = mia.page.getByRole("navigation", { name: "Tools" });
  await expect(bar.getByRole("button", { name: "Copy Annotations" })).toBeVisible();
  await bar.getByRole("button", { name: "Image Menu" }).click();
  await expect(mia.page.getByRole("menuitem", { name: "Download Image", exact: true })).toBeVisible();
  await expect(mia.page.getByRole("menuitem", { name: "Delete Image" })).toHaveCount(0);
  await mia.page.keyboard.press("Escape");
  await mia.page.goto(`${server.url}dataset/${images.id}`);
  await expect(mia.page.getByRole("article").first()).toBeVisible();
  await expect(await openSidebarMenu(mia.page, "Export COCO")).toHaveCount(0);
  await mia.page.keyboard.press("Escape");
  await expectAccessible(mia.page, "a member's dataset");
  await other.close();
});
