import { type BrowserContext, type CDPSession, expect, type Page, test } from "@playwright/test";
import { Desk } from "../support/annotatorDesk";
import { countStored } from "../support/countStored";
import { fillStorage } from "../support/fillStorage";
import { type LiveServer, startLiveServer } from "../support/liveServer";

/**
 * A browser whose storage is full or failing: edits stay in the tab, which warns and asks before it closes, are still
 * sent to the server, and are journalled as soon as there is space.
 */
test.describe.configure({ mode: "serial" });

const WIDTH = 640;
const HEIGHT = 480;
const NAMES = ["sent", "asked", "room", "mixed", "cleared", "closed"];
const EDITS = "**/api/annotator/edits";
/** Label of the save button. */
const NOT_STORED = "This browser cannot save your work. Keep this tab open until it is sent";

let server: LiveServer;
let context: BrowserContext;
let page: Page;
let desk: Desk;
let store: CDPSession;
let images: Awaited<ReturnType<Desk["plainDataset"]>>;
let at: (x: number, y: number) => { x: number; y: number };

test.beforeAll(async ({ browser }) => {
  server = await startLiveServer();
  context = await browser.newContext();
  page = await context.newPage();
  desk = new Desk(page, server.url);
  await desk.register("ada");
  images = await desk.plainDataset("full", ["cat"], NAMES, WIDTH, HEIGHT);
  store = await context.newCDPSession(page);
  // The browser applies this at once before it has written anything there.
  await setRoom(1);
});

test.afterAll(async () => {
  await context?.close();
  await server?.remove();
});

const origin = () => new URL(server.url).origin;
/** Sets the quota of the origin in bytes. By default that of the browser. */
const setRoom = (quotaSize?: number) =>
  store.send("Storage.overrideQuotaForOrigin", { origin: origin(), ...(quotaSize !== undefined && { quotaSize }) });

const fill = () => fillStorage(page, () => setRoom(1));

const setOffline = () => page.route(EDITS, (route) => route.abort());
const setOnline = () => page.unroute(EDITS);

async function open(name: string): Promise<void> {
  await desk.open(images.image(name));
  ({ at } = await desk.fit(WIDTH, HEIGHT));
}

/** Draws a box 40 pixels wide, as a new annotation. */
async function box(x: number, y: number): Promise<void> {
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  await page.keyboard.press("r");
  await desk.drag([at(x, y), at(x + 40, y + 40)]);
}

const lefts = async (name: string): Promise<number[]> => {
  const annotations = await desk.annotations(images.image(name));
  return annotations.map(({ bbox }) => Math.round(bbox[0])).sort((a, b) => a - b);
};
const state = (name: string) => expect(page.locator(`[data-save-state="${name}"]`));
const stored = (name: string, ...expected: number[]) => expect.poll(() => lefts(name)).toEqual(expected);

/** Closes the page. Returns true if it asks first; it then stays open. */
async function asksBeforeClosing(): Promise<boolean> {
  await page.evaluate(() => window.dispatchEvent(new Event("focus")));
  // Fails if the page closes without asking.
  const asked = page.waitForEvent("dialog", { timeout: 0 }).then(
    async (dialog) => {
      await dialog.dismiss();
      return dialog.type() === "beforeunload";
    },
    () => false,
  );
  await page.close({ runBeforeUnload: true });
  return asked;
}

test("sends what is drawn to the server when the browser's storage is full", async () => {
  await open("sent");
  for (const x of [50, 150, 250]) await box(x, 50);
  await stored("sent", 50, 150, 250);
  await desk.saved();
  await expect(page.getByRole("button", { name: NOT_STORED })).toBeHidden();
});

test("warns that nothing is stored while offline, asks before closing, and sends everything once the server is back", async () => {
  await open("asked");
  await box(50, 50);
  await desk.saved();
  await setOffline();
  for (const x of [150, 250]) await box(x, 50);
  await state("not kept").toBeVisible();
  await expect(page.getByText("Not saved: do not close this tab")).toBeVisible();
  await expect(page.getByRole("button", { name: `${NOT_STORED} (` })).toBeVisible();
  expect(await asksBeforeClosing()).toBe(true);
  await page.keyboard.press("Control+s");
  await expect(page.getByText("Keep this tab open until the server has it")).toBeVisible();
  expect(await lefts("asked")).toEqual([50]);
  await setOnline();
  await stored("asked", 50, 150, 250);
  await desk.saved();
});

test("stores edits when there is space again, no longer asks before closing, and the next page sends them", async () => {
  await open("room");
  await setOffline();
  for (const x of [50, 150]) await box(x, 50);
  await state("not kept").toBeVisible();
  await setRoom();
  await state("offline").toBeVisible();
  await box(250, 50);
  // Each box is two edits: its annotation and its shape.
  await expect.poll(() => countStored(page, "edits")).toBe(6);
  await expect(page.getByText("Offline, saved here")).toBeVisible();
  expect(await asksBeforeClosing()).toBe(false);
  page = await context.newPage();
  desk = new Desk(page, server.url);
  store = await context.newCDPSession(page);
  await desk.open(images.image("room"));
  await stored("room", 50, 150, 250);
  await desk.saved();
});

test("edits stored before the storage was full and edits after that are sent in order", async () => {
  await open("mixed");
  await setOffline();
  await box(50, 50);
  await state("offline").toBeVisible();
  await fill();
  await box(150, 50);
  await state("not kept").toBeVisible();
  await page.keyboard.press("Control+z");
  await page.keyboard.press("Control+Shift+z");
  await box(250, 50);
  await setOnline();
  await stored("mixed", 50, 150, 250);
  await desk.saved();
  await page.reload();
  await desk.saved();
  expect(await lefts("mixed")).toEqual([50, 150, 250]);
  await setRoom();
});

test("uses the journal again for new edits after the browser has cleared it", async () => {
  await open("cleared");
  await box(50, 50);
  await desk.saved();
  await store.send("Storage.clearDataForOrigin", { origin: origin(), storageTypes: "indexeddb" });
  await setOffline();
  await box(150, 50);
  // If the first attempt met the store while it was being cleared, the next one follows later.
  await state("offline").toBeVisible();
  await page.close();
  page = await context.newPage();
  desk = new Desk(page, server.url);
  store = await context.newCDPSession(page);
  await desk.open(images.image("cleared"));
  await stored("cleared", 50, 150);
});

test("draws and shows a warning while the journal does not open, and stores everything once it opens", async () => {
  await open("closed");
  await box(50, 50);
  await desk.saved();
  const other = await context.newPage();
  await other.goto(`${server.url}help`);
  // Imitates a page of another version that upgrades the store and never finishes.
  await other.evaluate(async () => {
    const [name = ""] = (await indexedDB.databases())
      .flatMap((each) => each.name ?? [])
      .filter((each) => each !== "scratch");
    const opening = indexedDB.open(name, 1000);
    await new Promise<void>((resolve) => {
      opening.onupgradeneeded = () => {
        const { transaction } = opening;
        let isOver = false;
        const goOn = () => {
          if (isOver) transaction?.abort();
          else if (transaction) transaction.objectStore("edits").count().onsuccess = goOn;
        };
        addEventListener("let go", () => {
          isOver = true;
        });
        goOn();
        resolve();
      };
    });
  });
  await setOffline();
  await page.bringToFront();
  await box(150, 50);
  await state("not kept").toBeVisible();
  expect(await asksBeforeClosing()).toBe(true);
  await box(250, 50);
  await other.evaluate(() => dispatchEvent(new Event("let go")));
  await other.close();
  await state("offline").toBeVisible();
  await page.close();
  page = await context.newPage();
  desk = new Desk(page, server.url);
  await desk.open(images.image("closed"));
  await stored("closed", 50, 150, 250);
  await desk.saved();
});
