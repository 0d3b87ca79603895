import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "@playwright/test";
import sharp from "sharp";
import { drawScene, renderScene, sceneCoco } from "../support/drawnScenes";
import { startLiveServer } from "../support/liveServer";
import {
  addPictures,
  clickAt,
  createDataset,
  importCoco,
  openPicture,
  pictureFrame,
  register,
  tool,
} from "../support/walk";

/** `npm run pictures`: the pictures of the documentation, from scenes that are drawn by arithmetic. */
const OUT = "docs/images";
const folder = mkdtempSync(join(tmpdir(), "limn-pictures-"));
const setup = JSON.parse(readFileSync("node_modules/.cache/limn-setup.json", "utf8"));

const scenes = Array.from({ length: 12 }, (_, i) => drawScene(i + 3, 960, 640));
const files = await Promise.all(
  scenes.map(async (scene) => {
    const path = join(folder, scene.fileName);
    writeFileSync(path, await renderScene(scene));
    return path;
  }),
);
const coco = join(folder, "scenes.json");
writeFileSync(coco, JSON.stringify(sceneCoco(scenes)));
mkdirSync(OUT, { recursive: true });

const server = await startLiveServer();
const browser = await chromium.launch({
  executablePath: process.env.CHROME_BIN ?? setup.browser,
  args: ["--no-sandbox", "--disable-quic", "--disable-background-networking"],
});
try {
  const context = await browser.newContext({ viewport: { width: 1280, height: 760 }, serviceWorkers: "block" });
  const page = await context.newPage();
  const shoot = async (name: string) => {
    await page.mouse.move(640, 750);
    await page.waitForTimeout(800);
    await sharp(await page.screenshot())
      .png({ palette: true, quality: 90 })
      .toFile(join(OUT, `${name}.png`));
  };
  await register(page, server.url);
  await createDataset(page, "Countryside");
  await addPictures(page, files);
  await importCoco(page, coco);
  await page.keyboard.press("Escape");
  await page.getByRole("status", { name: "Uploads" }).getByRole("button", { name: "Close" }).click();
  await shoot("dataset");

  await openPicture(page, scenes[0]?.fileName ?? "");
  const frame = await pictureFrame(page, 960, 640);
  const house = scenes[0]?.objects.find(({ category }) => category === "house")?.polygons[0] ?? [];
  const [x = 0, y = 0] = [((house[0] ?? 0) + 20) / 960, ((house[1] ?? 0) - 20) / 640];
  await tool(page, "Select").click();
  await clickAt(page, [frame.at([x, y])]);
  await shoot("annotator");
} finally {
  await browser.close();
  await server.remove();
  rmSync(folder, { recursive: true, force: true });
}
