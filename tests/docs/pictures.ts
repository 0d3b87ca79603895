import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, chromium, type Page } from "@playwright/test";
import sharp from "sharp";
import { drawScene, renderScene, sceneCoco } from "../support/drawnScenes";
import { startLiveServer } from "../support/liveServer";
import {
  addImages,
  chooseInSidebar,
  clickAt,
  createDataset,
  imageFrame,
  importCoco,
  openImageFile,
  register,
  toolButton,
} from "../support/userSteps";

/**
 * `npm run docs:pictures`: takes a picture of every page for the guide, from computed scenes, and pictures of the same
 * page in both themes at the widths of a phone, a tablet and two screens.
 */
const OUT = "docs/guide";
const SIZES = join(OUT, "sizes");
const THEMES = ["light", "dark"] as const;
/** Widths and heights in pixels. */
const VIEWS = [
  [390, 844],
  [768, 1024],
  [1440, 900],
  [1920, 1080],
] as const;
/** Names of the pages, in the order of their pictures. */
const taken: string[] = [];
const VIEW = { width: 1280, height: 760 };
const SCENE = { width: 960, height: 640 };
const folder = mkdtempSync(join(tmpdir(), "limn-pictures-"));
const setup = JSON.parse(readFileSync("node_modules/.cache/limn-setup.json", "utf8"));

const scenes = Array.from({ length: 12 }, (_, i) => drawScene(i + 3, SCENE.width, SCENE.height));
const files = await Promise.all(
  scenes.map(async (scene) => {
    const path = join(folder, scene.fileName);
    writeFileSync(path, await renderScene(scene));
    return path;
  }),
);
const coco = join(folder, "scenes.json");
writeFileSync(coco, JSON.stringify(sceneCoco(scenes)));
rmSync(SIZES, { recursive: true, force: true });
mkdirSync(SIZES, { recursive: true });

const server = await startLiveServer();
const browser = await chromium.launch({
  executablePath: process.env.CHROME_BIN ?? setup.browser,
  args: ["--no-sandbox", "--disable-quic", "--disable-background-networking"],
});
try {
  const page = await newPage(browser);
  await page.goto(server.url);
  await page.getByLabel("Username").waitFor();
  await takePicture(page, "setup");
  await register(page, server.url);
  await createDataset(page, "Countryside");
  await addImages(page, files);
  await importCoco(page, coco);
  await page.keyboard.press("Escape");
  await page.getByRole("status", { name: "Uploads" }).getByRole("button", { name: "Close" }).click();
  await addOtherData(page);
  await datasetTabs(page);
  await takeAnnotatorPictures(page);
  await takePagePictures(page);
  const visitor = await newPage(browser);
  await visitor.goto(`${server.url}auth`);
  await visitor.getByRole("tab", { name: "Register" }).waitFor();
  await takePicture(visitor, "auth");
  writeFileSync(join(SIZES, "README.md"), listOfSizes());
} finally {
  await browser.close();
  await server.remove();
  rmSync(folder, { recursive: true, force: true });
}

async function newPage(browser: Browser): Promise<Page> {
  return (await browser.newContext({ viewport: VIEW, serviceWorkers: "block" })).newPage();
}

/** Takes a still picture, without the pointer, in few colours, because these files are in the repository. */
async function takePicture(page: Page, name: string): Promise<void> {
  await page.mouse.move(VIEW.width / 2, VIEW.height - 10);
  await page.waitForTimeout(1200);
  const image = sharp(await page.screenshot());
  await image.png({ palette: true, colours: 128, effort: 10 }).toFile(join(OUT, `${name}.png`));
  console.log(`${name}.png`);
  taken.push(name);
  for (const [width, height] of VIEWS) {
    await page.setViewportSize({ width, height });
    for (const theme of THEMES) {
      await page.emulateMedia({ colorScheme: theme });
      await page.waitForTimeout(700);
      const shot = sharp(await page.screenshot());
      await shot.webp({ quality: 60, effort: 6, smartSubsample: true }).toFile(join(SIZES, fileOf(name, width, theme)));
    }
  }
  await page.emulateMedia({ colorScheme: "light" });
  await page.setViewportSize(VIEW);
}

function fileOf(name: string, width: number, theme: string): string {
  return `${name}-${width}-${theme}.webp`;
}

/** Returns a page with links to all pictures in `SIZES`. */
function listOfSizes(): string {
  const cell = (name: string, width: number) =>
    THEMES.map((theme) => `[${theme}](${fileOf(name, width, theme)})`).join(" ");
  const rows = taken.map((name) => `| ${name} | ${VIEWS.map(([width]) => cell(name, width)).join(" | ")} |`);
  const lines = [
    "# Every page at four widths",
    "",
    "Made by `npm run docs:pictures`.",
    "",
    `| page | ${VIEWS.map(([width]) => `${width} px`).join(" | ")} |`,
    `|---|${VIEWS.map(() => "---|").join("")}`,
    ...rows,
  ];
  return `${lines.join("\n")}\n`;
}

/** Adds other users, datasets and deleted entries, so that the lists are not empty. */
async function addOtherData(page: Page): Promise<void> {
  const headers = { "X-Requested-With": "images" };
  const post = (path: string, data: object) => page.request.post(`${server.url}api/${path}`, { data, headers });
  for (const [username, name] of [
    ["grace", "Grace"],
    ["alan", "Alan"],
  ])
    await post("admin/user/", { username, name, password: "correct horse" });
  await post("dataset/1/share", { users: ["grace", "alan"] });
  for (const name of ["Street crossings", "Drone flights, May"]) await post("dataset/", { name, categories: ["tree"] });
  await post("dataset/", { name: "Tried out" });
  const { datasets } = await (await page.request.get(`${server.url}api/dataset/data?limit=50`)).json();
  const tried = datasets.find(({ name }: { name: string }) => name === "Tried out");
  await page.request.delete(`${server.url}api/dataset/${tried.id}`, { headers });
  await page.request.delete(`${server.url}api/image/12`, { headers });
  await page.request.get(`${server.url}api/dataset/1/export`, { headers });
  await page.request.get(`${server.url}api/dataset/1/scan`, { headers });
}

async function datasetTabs(page: Page): Promise<void> {
  await page.goto(`${server.url}dataset/1`);
  await page.getByRole("article").first().waitFor();
  await takePicture(page, "dataset");
  for (const tab of ["Exports", "Members", "Statistics", "Settings"]) {
    await page.getByRole("tab", { name: tab }).click();
    await takePicture(page, `dataset-${tab.toLowerCase()}`);
  }
  await page.getByRole("button", { name: "Add webhook" }).click();
  await page.getByRole("dialog").waitFor();
  await takePicture(page, "webhook");
  await page.keyboard.press("Escape");
  await page.getByRole("tab", { name: "Images" }).click();
  await chooseInSidebar(page, "Export COCO");
  await page.getByRole("dialog").waitFor();
  await takePicture(page, "export");
  await page.keyboard.press("Escape");
}

async function takeAnnotatorPictures(page: Page): Promise<void> {
  const { fileName = "", objects = [] } = scenes[0] ?? {};
  await openImageFile(page, fileName);
  const frame = await imageFrame(page, SCENE.width, SCENE.height);
  const house = objects.find(({ category }) => category === "house")?.polygons[0] ?? [];
  const [x = 0, y = 0] = [((house[0] ?? 0) + 20) / SCENE.width, ((house[1] ?? 0) - 20) / SCENE.height];
  await toolButton(page, "Select").click();
  await clickAt(page, [frame.at([x, y])]);
  await takePicture(page, "annotator");
  for (const [name, keys] of [
    ["palette", "Control+k"],
    ["shortcuts", "?"],
  ] as const) {
    await page.keyboard.press(keys);
    await page.getByRole("dialog").waitFor();
    await takePicture(page, name);
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "hidden" });
  }
}

async function takePagePictures(page: Page): Promise<void> {
  const pages = {
    datasets: "datasets",
    categories: "categories",
    undo: "undo",
    tasks: "tasks",
    user: "user",
    "admin-panel": "admin/panel",
    about: "about",
    "not-found": "nowhere",
    help: "help",
    api: "api",
  };
  for (const [name, path] of Object.entries(pages)) {
    await page.goto(`${server.url}${path}`);
    await page.waitForLoadState("networkidle");
    await takePicture(page, name);
  }
}
