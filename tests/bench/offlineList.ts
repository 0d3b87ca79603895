import { readFileSync, rmSync } from "node:fs";
import { basename } from "node:path";
import type { BrowserContext, Page } from "@playwright/test";
import { loadPhotographs } from "../support/photographs";
import { newFolder } from "../support/runFolder";
import type { Bed } from "./bed";
import { launchBrowser } from "./browser";
import type { Figure } from "./figures";
import { seedImages } from "./seed";
import { inMs, median } from "./sideBySide";

const IMAGES = 10_000;
const PHOTOGRAPHS = 12;
const ROUNDS = 7;
const FIRST_PAGE_MS = 300;
const NEXT_MS = 150;

/**
 * Measures the pages of a dataset of 10,000 images in Chromium without a server, and opening an image with and without.
 */
export async function offlineList(bed: Bed): Promise<Figure[]> {
  const folder = newFolder("photographs");
  const browser = await launchBrowser();
  try {
    const { id } = await bed.client.send<{ id: number }>("POST", "dataset/?name=list", {});
    const { files } = await loadPhotographs(folder);
    for (let i = 0; i < PHOTOGRAPHS; i++) await upload(bed, id, files[i % files.length] ?? "", i);
    await bed.rows(({ db }) => seedImages(db, id, IMAGES));
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    const page = await openApplication(context, bed, id);
    const online = await timesOfOpening(page, bed, id);
    await page.goto(`${bed.server.url}datasets`);
    await context.setOffline(true);
    await page.getByText(/^Offline since/).waitFor();
    const list = await timesOfList(page, id);
    const offline = await timesOfOpening(page, bed, id);
    return [...listFigures(list), openingFigure(bed, offline, online)];
  } finally {
    await browser.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function upload(bed: Bed, datasetId: number, file: string, number: number): Promise<void> {
  const form = new FormData();
  form.append("dataset_id", String(datasetId));
  form.append("image", new Blob([new Uint8Array(readFileSync(file))]), `${number} ${basename(file)}`);
  await bed.client.fetch("POST", "image/", form);
}

/** Opens the application, and makes the photographs of the dataset available offline. */
async function openApplication(context: BrowserContext, { server: { url } }: Bed, id: number): Promise<Page> {
  const page = await context.newPage();
  await context.request.post(`${url}api/user/login`, {
    data: { username: "bench", password: "bench-password" },
    headers: { Origin: new URL(url).origin },
  });
  await page.goto(`${url}dataset/${id}?order=id`);
  await page.evaluate(async () => void (await navigator.serviceWorker.ready));
  await page.getByRole("button", { name: /^Available offline…/ }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("radio", { name: "The next images of the list" }).check();
  await dialog.getByLabel("Number of images").fill(String(PHOTOGRAPHS));
  await dialog.getByRole("button", { name: "Make available" }).click();
  await dialog.getByText("Available offline", { exact: true }).waitFor();
  return page;
}

interface ListTimes {
  first: number[];
  filtered: number[];
  next: number[];
}

async function timesOfList(page: Page, id: number): Promise<ListTimes> {
  const times: ListTimes = { first: [], filtered: [], next: [] };
  for (let round = -1; round < ROUNDS; round++) {
    const first = await timeOf(page, { click: `article a[href*="/dataset/${id}"]` }, { selector: CARD, text: "" });
    const shown = (await page.locator(CARD).first().getAttribute("aria-label")) ?? "";
    const next = await timeOf(page, { click: "button[aria-label='Next page']" }, { selector: CARD, not: shown });
    const word = String(1000 + round);
    const until = { selector: CARD, text: word };
    const filtered = await timeOf(page, { fill: "input[placeholder='Part of the file name']", value: word }, until);
    // The first round loads the code.
    if (round >= 0) {
      times.first.push(first);
      times.next.push(next);
      times.filtered.push(filtered);
    }
    await page.getByRole("link", { name: "Datasets", exact: true }).first().click();
    await page.getByRole("article", { name: "list" }).waitFor();
  }
  return times;
}

/** Returns the times from pressing Next until the next photograph is shown. */
async function timesOfOpening(page: Page, { server }: Bed, id: number): Promise<number[]> {
  await page.goto(`${server.url}dataset/${id}?order=id`);
  await page.locator(`${CARD} a`).first().click();
  const times: number[] = [];
  for (let i = 0; i < PHOTOGRAPHS - 2; i++) {
    await page.locator(".annotator-image").waitFor();
    const title = (await page.getByRole("application").getAttribute("aria-label")) ?? "";
    times.push(
      await timeOf(page, { click: "button[aria-label='Next Image']" }, { selector: "[role=application]", not: title }),
    );
  }
  return times.slice(1);
}

/** Cards of images, unlike those of datasets, can be ticked. */
const CARD = "article[aria-label]:has(input[type=checkbox])";

type Action = { click: string } | { fill: string; value: string };
/**
 * Condition for the result: the first match of `selector` has a label that contains `text`, or a label other than
 * `not`; images must be visible.
 */
interface Until {
  selector: string;
  text?: string;
  not?: string;
}

/**
 * Returns the milliseconds from an action until the page shows its result, measured in the page itself. Begins once the
 * page has painted the result of the previous action: no user acts within the same frame.
 */
const timeOf = (page: Page, action: Action, until: Until): Promise<number> =>
  page.evaluate(
    async ([act, { selector, text, not }]) => {
      const target = document.querySelector<HTMLElement>("click" in act ? act.click : act.fill);
      if (!target) throw new Error(`Nothing to act on: ${JSON.stringify(act)}`);
      for (let frame = 0; frame < 5; frame++) await new Promise(requestAnimationFrame);
      await new Promise((resolve) => setTimeout(resolve));
      const began = performance.now();
      if ("click" in act) target.click();
      else {
        Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set?.call(target, act.value);
        target.dispatchEvent(new Event("input", { bubbles: true }));
        // Enter, once the form has the text.
        setTimeout(() => target.closest("form")?.requestSubmit());
      }
      for (;;) {
        await new Promise(requestAnimationFrame);
        const label = document.querySelector(selector)?.getAttribute("aria-label");
        const image = document.querySelector<HTMLElement>(".annotator-image");
        const isShown = label != null && label !== not && label.includes(text ?? "");
        if (isShown && (!image || image.style.visibility === "visible")) return performance.now() - began;
        if (performance.now() - began > 20_000) throw new Error(`Not shown: ${selector} ${text ?? not}`);
      }
    },
    [action, until] as const,
  );

function listFigures({ first, filtered, next }: ListTimes): Figure[] {
  const figure = (what: string, times: readonly number[], limit: number): Figure => ({
    what: `${what} of ${IMAGES.toLocaleString("en")} images without a server, in Chromium`,
    ours: `median ${inMs(median(times))}, worst ${inMs(Math.max(...times))} of ${times.length}`,
    peer: "-",
    ratio: null,
    goal: `less than ${limit} ms`,
    met: median(times) < limit,
  });
  return [
    figure("First page", first, FIRST_PAGE_MS),
    figure("Filter by name with Enter", filtered, NEXT_MS),
    figure("Next page", next, NEXT_MS),
  ];
}

function openingFigure(bed: Bed, offline: readonly number[], online: readonly number[]): Figure {
  const [ours, peer] = [median(offline), median(online)];
  return {
    what: "Opening the next photograph without a server, in Chromium",
    ours: inMs(ours),
    peer: `with the server, ${bed.kind}: ${inMs(peer)}`,
    ratio: ours / peer,
    goal: "not slower",
    met: ours <= peer * 1.05,
  };
}
