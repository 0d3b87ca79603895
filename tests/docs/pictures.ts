import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, chromium, type Page } from "@playwright/test";
import { drawScene, renderScene, sceneCoco } from "../support/drawnScenes";
import { startLiveServer } from "../support/liveServer";
import { TeamData } from "../support/teamData";
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
import { Camera, VIEW } from "./camera";
import { takeTeamPictures } from "./teamPictures";

/**
 * `npm run docs:pictures`: takes a picture of every page for the guide, from computed scenes, at the widths of a phone,
 * a tablet and two screens in both themes. With names of pictures after `--`, takes only these.
 */
const camera = new Camera(process.argv.slice(2));
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
writeFileSync(coco, JSON.stringify(withColors(sceneCoco(scenes))));

const server = await startLiveServer();
const browser = await chromium.launch({
  executablePath: process.env.CHROME_BIN ?? setup.browser,
  args: ["--no-sandbox", "--disable-quic", "--disable-background-networking"],
});
try {
  const page = await newPage(browser);
  await page.goto(server.url);
  await page.getByLabel("Username").waitFor();
  await camera.take(page, "setup");
  await register(page, server.url);
  await page.getByRole("button", { name: "Try the demo" }).waitFor();
  await camera.take(page, "datasets-empty");
  await createDataset(page, "Countryside");
  await addImages(page, files);
  await importCoco(page, coco);
  await page.keyboard.press("Escape");
  await page.getByRole("status", { name: "Uploads" }).getByRole("button", { name: "Close" }).click();
  const team = await addOtherData(page);
  await datasetTabs(page);
  await takeAnnotatorPictures(page);
  await takePagePictures(page);
  await takeStatePictures(page);
  await takeTeamPictures({ camera, page, url: server.url, team });
  const visitor = await newPage(browser);
  await visitor.goto(`${server.url}auth`);
  await visitor.getByRole("tab", { name: "Register" }).waitFor();
  await camera.take(visitor, "auth");
  camera.writeList();
} finally {
  await browser.close();
  await server.remove();
  rmSync(folder, { recursive: true, force: true });
}

/** Gives categories colours, which would be random and make all pictures differ from those before. */
function withColors(document: ReturnType<typeof sceneCoco>) {
  const colors = ["#d6336c", "#1c7ed6", "#f59f00", "#7048e8", "#e8590c"];
  return { ...document, categories: document.categories.map((each, i) => ({ ...each, color: colors[i] })) };
}

async function newPage(browser: Browser): Promise<Page> {
  return (await browser.newContext({ viewport: VIEW, serviceWorkers: "block" })).newPage();
}

/** Adds other users, datasets and deleted entries, so that the lists are not empty. Returns the dataset's team. */
async function addOtherData(page: Page): Promise<TeamData> {
  const headers = { "X-Requested-With": "images" };
  const post = (path: string, data: object) => page.request.post(`${server.url}api/${path}`, { data, headers });
  for (const [username, name] of [
    ["grace", "Grace"],
    ["alan", "Alan"],
  ])
    await post("admin/user/", { username, name, password: "correct horse" });
  const names = { owner: "ada", reviewer: "grace", annotator: "alan" };
  const team = await TeamData.open(server.url, names, 1, scenes);
  await team.share();
  for (const name of ["Street crossings", "Drone flights, May"]) await post("dataset/", { name, categories: ["tree"] });
  await post("dataset/", { name: "Tried out" });
  const { datasets } = await (await page.request.get(`${server.url}api/dataset/data?limit=50`)).json();
  const tried = datasets.find(({ name }: { name: string }) => name === "Tried out");
  await page.request.delete(`${server.url}api/dataset/${tried.id}`, { headers });
  await page.request.delete(`${server.url}api/image/${team.imageOf(scenes.length - 1)}`, { headers });
  await page.request.get(`${server.url}api/dataset/1/export`, { headers });
  await page.request.get(`${server.url}api/dataset/1/scan`, { headers });
  return team;
}

async function datasetTabs(page: Page): Promise<void> {
  await page.goto(`${server.url}dataset/1`);
  await page.getByRole("article").first().waitFor();
  await camera.take(page, "dataset");
  for (const tab of ["Exports", "Members", "Statistics", "Settings"]) {
    await page.getByRole("tab", { name: tab }).click();
    await camera.take(page, `dataset-${tab.toLowerCase()}`);
  }
  await page.getByRole("button", { name: "Add webhook" }).click();
  await page.getByRole("dialog").waitFor();
  await camera.take(page, "webhook");
  await page.keyboard.press("Escape");
  await page.getByRole("tab", { name: "Images" }).click();
  await chooseInSidebar(page, "Export COCO");
  await page.getByRole("dialog").waitFor();
  await camera.take(page, "export");
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
  await camera.take(page, "annotator");
  for (const [name, keys] of [
    ["palette", "Control+k"],
    ["shortcuts", "?"],
  ] as const) {
    await page.keyboard.press(keys);
    await page.getByRole("dialog").waitFor();
    await camera.take(page, name);
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
    await camera.take(page, name);
  }
}

/** Takes pictures of a list that is empty, loads, or cannot be loaded, and of the annotator without a server. */
async function takeStatePictures(page: Page): Promise<void> {
  const list = "**/api/dataset/1/data*";
  await page.goto(`${server.url}dataset/1?file_name__icontains=nothing`);
  await page.getByText("No images found in directory.").waitFor();
  await camera.take(page, "dataset-empty");

  await page.route(list, () => {});
  await page.goto(`${server.url}dataset/1`);
  await page.getByRole("tab", { name: "Images" }).waitFor();
  await camera.take(page, "dataset-loading");
  await page.unroute(list);
  const message = "Something went wrong on the server (number 5f2c81d09a3e in its log).";
  await page.route(list, (route) => route.fulfill({ status: 500, json: { message } }));
  await page.goto(`${server.url}dataset/1`);
  await page.getByRole("button", { name: "Try again" }).waitFor({ timeout: 60_000 });
  await camera.take(page, "dataset-error");
  await page.unroute(list);

  await page.goto(`${server.url}dataset/1`);
  await openImageFile(page, scenes[0]?.fileName ?? "");
  await page.context().setOffline(true);
  await page.getByRole("treeitem").first().click();
  await page.keyboard.press("Control+d");
  await page.getByText(/^Offline since/).waitFor({ timeout: 60_000 });
  await camera.take(page, "annotator-offline");
  await page.context().setOffline(false);
}
