import { type Browser, expect, type Page, test } from "@playwright/test";
import { TRANSLATED } from "../../scripts/languages/catalogue";
import { cutTexts, expectNoViolations } from "../support/accessibility";
import { Desk } from "../support/annotatorDesk";
import { type LiveServer, startLiveServer } from "../support/liveServer";
import { textsOf } from "../support/texts";

/** Dialogs in other languages at 1280 pixels: no cut text, and accessible in both themes. */

let server: LiveServer;
let state: Awaited<ReturnType<ReturnType<Page["context"]>["storageState"]>>;

/** The language in which all dialogs are checked, because its texts are the longest. */
const ALL_IN = "de";

/** A dialog and the way to it, with the English names of the controls. */
interface Opening {
  name: string;
  path: string;
  /** Names of buttons and menu entries to press, or a key after "key:". */
  steps: readonly string[];
  /** True for dialogs with many texts, which are checked in every language. */
  isLong?: boolean;
}

const DIALOGS: readonly Opening[] = [
  { name: "create dataset", path: "datasets", steps: ["Create"] },
  { name: "import dataset", path: "datasets", steps: ["Import"], isLong: true },
  { name: "help with datasets", path: "datasets", steps: ["Help with datasets"] },
  { name: "edit dataset", path: "datasets", steps: ["Menu of {name}", "Edit"] },
  { name: "share", path: "datasets", steps: ["Menu of {name}", "Share"] },
  { name: "available offline", path: "datasets", steps: ["Menu of {name}", "Available offline…"] },
  { name: "generate", path: "dataset/1", steps: ["Add images", "Generate"] },
  { name: "import file", path: "dataset/1", steps: ["file:COCO file"] },
  { name: "export", path: "dataset/1", steps: ["Import / export", "Export COCO"], isLong: true },
  { name: "create category", path: "categories", steps: ["Create"] },
  { name: "edit category", path: "categories", steps: ["Menu of {category}", "Edit"], isLong: true },
  { name: "create user", path: "admin/panel", steps: ["Create User"] },
  { name: "image settings", path: "annotate/1", steps: ["Image Menu", "Image Settings"], isLong: true },
  { name: "copy annotations", path: "annotate/1", steps: ["Copy Annotations"] },
  { name: "category", path: "annotate/1", steps: ["Edit {category}"] },
  { name: "annotation", path: "annotate/1", steps: ["key:Control+a", "key:F2"] },
  { name: "propagate", path: "annotate/1", steps: ["key:Control+b"] },
  { name: "delete image", path: "annotate/1", steps: ["Image Menu", "Delete Image"] },
  { name: "help", path: "annotate/1", steps: ["key:?"], isLong: true },
  { name: "palette", path: "annotate/1", steps: ["key:Control+k"] },
];

test.beforeAll(async ({ browser }) => {
  server = await startLiveServer();
  const context = await browser.newContext();
  const desk = new Desk(await context.newPage(), server.url);
  await desk.register("ada");
  await desk.api("POST", "category/", {
    name: "bird",
    keypoint_labels: ["beak", "tail"],
    keypoint_edges: [[1, 2]],
  });
  const { image } = await desk.plainDataset("Harbour", ["bird"], ["first", "second"], 800, 600);
  await desk.api("POST", "annotation/", {
    image_id: image("first"),
    category_id: 1,
    segmentation: [[100, 100, 300, 100, 300, 300, 100, 300]],
    keypoints: [150, 150, 2, 250, 250, 1],
  });
  state = await context.storageState();
  await context.close();
});
test.afterAll(() => server.remove());

for (const language of TRANSLATED)
  test(`no dialog cuts its texts in ${language}, and axe finds nothing in them`, async ({ browser }) => {
    // Many dialogs take longer than a test may while other programs keep the cores busy.
    if (language === ALL_IN) test.slow();
    const page = await openIn(browser, language);
    const text = textsOf(language);
    let shown = "";
    for (const { name, path, steps } of DIALOGS.filter(({ isLong }) => isLong || language === ALL_IN)) {
      if (shown !== path) {
        await page.goto(server.url + path);
        await expect(
          path.startsWith("annotate") ? page.getByRole("treeitem").first() : page.getByRole("heading", { level: 1 }),
        ).toBeVisible();
        shown = path;
      }
      for (const step of steps) await take(page, step, text);
      const dialog = page.getByRole("dialog");
      await expect(dialog.getByRole("button").nth(1).or(dialog.getByRole("option").first()), name).toBeVisible();
      await expect(dialog.locator(".mantine-Loader-root:not(button *)")).toHaveCount(0);
      expect.soft(await cutTexts(page, '[role="dialog"]'), name).toEqual([]);
      await expectNoViolations(page, `${language} ${name}`, '[role="dialog"]');
      await page.keyboard.press("Escape");
      await expect(dialog, name).toBeHidden();
    }
    await page.context().close();
  });

async function openIn(browser: Browser, language: string): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, storageState: state });
  await context.addInitScript((chosen) => localStorage.setItem("limn.language", JSON.stringify(chosen)), language);
  return context.newPage();
}

async function take(page: Page, step: string, text: ReturnType<typeof textsOf>): Promise<void> {
  const [kind, value = ""] = step.split(":");
  if (kind === "key") {
    await page.getByRole("application").focus();
    await page.keyboard.press(value);
  } else if (kind === "file") {
    const buffer = Buffer.from(JSON.stringify({ images: [], annotations: [], categories: [] }));
    await page.getByLabel(text(value)).setInputFiles({ name: "scenes.json", mimeType: "application/json", buffer });
  } else {
    const message = step.replace(/\{\w+\}/, "{name}");
    const name = text(message, { name: step.includes("{category}") ? "bird" : "Harbour" });
    await page
      .getByRole("button", { name, exact: true })
      .or(page.getByRole("menuitem", { name, exact: true }))
      .first()
      .click();
  }
}
