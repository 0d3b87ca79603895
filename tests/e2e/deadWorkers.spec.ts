import { type BrowserContext, expect, type Page, test, type Worker } from "@playwright/test";
import sharp from "sharp";
import type { Rings } from "../../shared/entities/shape";
import { ringsContain } from "../../shared/geometry/polygons";
import { Desk } from "../support/annotatorDesk";
import { type LiveServer, startLiveServer } from "../support/liveServer";

/**
 * Web workers that die in a real browser while tools wait for them: nothing drawn is lost, and every wait ends. Also on
 * plain http, where browsers have no locks that reveal a worker's end.
 */
test.describe.configure({ mode: "serial" });
test.use({
  launchOptions: async ({ launchOptions }, use) => {
    const args = ["--host-resolver-rules=MAP limn.test 127.0.0.1"];
    await use({ ...launchOptions, args: [...(launchOptions.args ?? []), ...args] });
  },
});

const WIDTH = 800;
const HEIGHT = 600;
const NAMES = ["brush", "asked", "loop", "wand", "load", "painter"];

let server: LiveServer;

test.beforeAll(async () => {
  server = await startLiveServer();
});

test.afterAll(async () => {
  await server?.remove();
});

const has = (rings: Rings, x: number, y: number) => ringsContain(rings, x + 0.01, y + 0.01);

/** Returns a worker of the page by the name it was started with. */
async function workerOf(page: Page, name: string): Promise<Worker> {
  let found: Worker | undefined;
  await expect
    .poll(async () => {
      for (const worker of page.workers())
        if ((await worker.evaluate(() => self.name).catch(() => "")) === name) found = worker;
      return found !== undefined;
    })
    .toBe(true);
  return found as Worker;
}

/** Ends the worker like one that runs out of memory: the page is not notified. */
async function end(worker: Worker): Promise<void> {
  await worker.evaluate(() => self.close()).catch(() => undefined);
}

for (const origin of ["http://127.0.0.1", "http://limn.test"])
  test.describe(`at ${origin}`, () => {
    let context: BrowserContext;
    let page: Page;
    let desk: Desk;
    let site: Desk;
    let images: Awaited<ReturnType<Desk["dataset"]>>;
    let at: (x: number, y: number) => { x: number; y: number };

    test.beforeAll(async ({ browser }) => {
      const url = server.url.replace("http://127.0.0.1", origin);
      context = await browser.newContext({ colorScheme: "dark" });
      page = await context.newPage();
      desk = new Desk(page, server.url);
      const name = `ada-${new URL(origin).hostname}`;
      await desk.register(name);
      images = await desk.dataset(
        name,
        ["cat"],
        Object.fromEntries(await Promise.all(NAMES.map(async (each) => [`${each}.png`, await squares()] as const))),
      );
      await context.addCookies(
        (await context.cookies()).map((cookie) => ({ ...cookie, domain: new URL(origin).hostname })),
      );
      // Only the page resolves the name: the API is called at the address.
      site = new Desk(page, url);
    });

    test.afterAll(() => context?.close());

    const image = (name: string) => images.image(`${name}.png`);
    const rings = (name: string) => desk.rings(image(name));
    const drag = (...points: [number, number][]) =>
      desk.drag(
        points.map(([x, y]) => at(x, y)),
        1,
      );
    const open = async (name: string, tool: string) => {
      await site.open(image(name));
      ({ at } = await desk.fit(WIDTH, HEIGHT));
      await page.keyboard.press(tool);
    };
    const holds = (name: string, ...points: [number, number][]) =>
      expect
        .poll(async () => {
          const shape = await rings(name);
          return points.map(([x, y]) => has(shape, x, y));
        })
        .toEqual(points.map(() => true));

    test("a stroke after the worker has vanished is computed by a new worker", async () => {
      await open("brush", "b");
      await drag([100, 100], [300, 100]);
      await holds("brush", [200, 100]);
      await end(await workerOf(page, "compute"));
      await drag([100, 300], [300, 300]);
      await holds("brush", [200, 100], [200, 300]);
      await desk.saved();
      await page.reload();
      expect(has(await rings("brush"), 200, 300)).toBe(true);
    });

    test("a stroke whose worker vanishes before it responds is computed by a new worker", async () => {
      await open("asked", "b");
      await drag([100, 100], [300, 100]);
      await holds("asked", [200, 100]);
      const worker = await workerOf(page, "compute");
      await worker.evaluate(() => {
        self.postMessage = () => self.close();
      });
      await drag([100, 300], [300, 300]);
      await holds("asked", [200, 100], [200, 300]);
    });

    test("a worker that hangs is replaced at the next stroke", async () => {
      await open("loop", "b");
      await drag([100, 100], [300, 100]);
      await holds("loop", [200, 100]);
      const worker = await workerOf(page, "compute");
      void worker
        .evaluate(() => {
          for (;;);
        })
        .catch(() => undefined);
      await drag([100, 300], [300, 300]);
      await holds("loop", [200, 100], [200, 300]);
    });

    test("a wand gesture keeps its regions when its worker vanishes", async () => {
      await open("wand", "w");
      await page.mouse.move(at(150, 150).x, at(150, 150).y);
      await page.mouse.down();
      await expect(page.getByText("Looking for the region…")).toBeHidden();
      await page.waitForTimeout(500);
      await end(await workerOf(page, "wand"));
      await page.mouse.move(at(250, 250).x, at(250, 250).y);
      await page.mouse.up();
      await holds("wand", [150, 150], [250, 250]);
      await end(await workerOf(page, "wand"));
      await drag([700, 50]);
      await holds("wand", [150, 150], [250, 250], [700, 50]);
    });

    test("shows an error when no worker can be loaded, keeps the annotation, and adds the next stroke", async () => {
      await open("load", "b");
      await drag([100, 100], [300, 100]);
      await holds("load", [200, 100]);
      const worker = await workerOf(page, "compute");
      const script = worker.url();
      await page.route(script, (route) => route.abort());
      await end(worker);
      await drag([100, 300], [300, 300]);
      await expect(page.getByText("The background computation has failed. Please try again.")).toBeVisible();
      await page.unroute(script);
      await drag([100, 500], [300, 500]);
      await holds("load", [200, 100], [200, 500]);
    });

    test("many shapes are painted sharply again after their painter has vanished twice", async () => {
      const category = (await desk.scene(image("painter"))).categories[0]?.id;
      const ring = (n: number) =>
        Array.from({ length: 400 }, (_, i) => [
          60 + (n % 10) * 70 + 30 * Math.cos(i / 64),
          60 + Math.floor(n / 10) * 70 + 30 * Math.sin(i / 64),
        ]).flat();
      for (let n = 0; n < 40; n++)
        await desk.api("POST", "annotation/", {
          image_id: image("painter"),
          category_id: category,
          segmentation: [ring(n)],
        });
      await open("painter", "c");
      const sharp = page.locator('.annotator-canvas[data-sharp="true"]');
      for (let times = 0; times < 3; times++) {
        await expect(sharp).toBeVisible();
        if (times < 2) await end(await workerOf(page, "painter"));
        await page.mouse.move(at(400, 300).x, at(400, 300).y);
        const blurred = hasBlurred(page);
        await page.mouse.wheel(0, times % 2 ? 240 : -240);
        await blurred;
        await expect(sharp).toBeVisible();
      }
    });
  });

/** Resolves once the canvas has been blurred, however briefly. */
function hasBlurred(page: Page): Promise<void> {
  return page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        const canvas = document.querySelector<HTMLElement>(".annotator-canvas");
        if (!canvas) throw new Error("no canvas");
        const observer = new MutationObserver(() => {
          if (canvas.dataset.sharp === "true") return;
          observer.disconnect();
          resolve();
        });
        observer.observe(canvas, { attributeFilter: ["data-sharp"] });
      }),
  );
}

/** Grey, with a red square from (100, 100) to (500, 500), which contains a grey one from (200, 200) to (300, 300). */
function squares(): Promise<Buffer> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}">
    <rect width="100%" height="100%" fill="#777"/><rect x="100" y="100" width="400" height="400" fill="#d00"/>
    <rect x="200" y="200" width="100" height="100" fill="#00d"/></svg>`;
  return sharp(Buffer.from(svg)).png().toBuffer();
}
