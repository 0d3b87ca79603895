import type { LiveServer } from "../support/liveServer";
import { type BrowserPage, until } from "./browserPage";
import { chooseTool, imageIsShown, listShows, openImage, press } from "./steps";

interface Before {
  url: string;
  server: LiveServer;
  dataset: number;
  /** The open image. */
  image: number;
  /** Number of annotations on the image. */
  count: number;
}

/** Expression that is true if the save state is this one. */
export const isIn = (state: string) => `document.querySelector('[data-save-state="${state}"]') !== null`;
/** JavaScript expression that is true if the journal has the edits that the server does not have. */
const IS_SAVED_HERE = `(${isIn("offline")}) || (${isIn("saved here")})`;

/**
 * Draws while the server is stopped: in an open tab, and on a copy of the dataset in a page that is loaded offline.
 * Returns the number of annotations that are then stored.
 */
export async function workOffline(page: BrowserPage, { url, server, dataset, image, count }: Before): Promise<number> {
  await until(page, isIn("saved"));
  const { at, countIs } = await openImage(page, url, image);
  await server.kill();
  await chooseTool(page, "BBox", "r");
  await page.drag([at(320, 20), at(350, 40), at(380, 80)]);
  await until(page, IS_SAVED_HERE);
  await listShows(page, count + 1);
  await server.start();
  await countIs(count + 1, 60);
  await until(page, isIn("saved"));

  if (!(await makeAvailable(page, `${url}dataset/${dataset}`))) return count + 1;
  await server.stop();
  const { at: atLocal, countIs: storedIs } = await openImage(page, url, image);
  await until(page, `document.querySelector(".annotator-image").src.startsWith("blob:")`);
  await chooseTool(page, "BBox", "r");
  await page.drag([atLocal(420, 20), atLocal(450, 40), atLocal(480, 80)]);
  await listShows(page, count + 2);
  // Until the journal has the edit, the page asks before it closes.
  await until(page, `(${IS_SAVED_HERE}) && /\\d pending/.test(document.body.innerText)`);
  await page.reload();
  await imageIsShown(page);
  await listShows(page, count + 2);
  await server.start();
  await storedIs(count + 2, 60);
  await until(page, isIn("saved"));
  return count + 2;
}

/** Expression that is true if the browser stores files for a page. */
const STORES_FILES = `new Promise((resolve) => {
  const opening = indexedDB.open("stores files");
  opening.onupgradeneeded = () => opening.result.createObjectStore("files");
  opening.onerror = () => resolve(false);
  opening.onsuccess = () => {
    const storing = opening.result.transaction("files", "readwrite");
    storing.objectStore("files").put(new Blob(["file"]), 1);
    storing.oncomplete = () => resolve(true);
    storing.onabort = () => resolve(false);
  };
})`;

/**
 * Makes the dataset available offline. Returns false in a browser that stores no files: WebKitGTK's windows are private
 * under its driver.
 */
export async function makeAvailable(page: BrowserPage, url: string): Promise<boolean> {
  if (!(await page.evaluate(STORES_FILES))) {
    console.log("Copies of datasets: SKIPPED, this browser's windows are private and store no files.");
    return false;
  }
  await page.goto(url);
  await page.evaluate(`navigator.serviceWorker.ready.then(({ scope }) => scope)`);
  await press(page, "Available offline…");
  await press(page, "Make available", "[role=dialog]");
  const said = `[...document.querySelectorAll("[role=dialog] *")].some((each) => each.textContent === "Available offline")`;
  await until(page, said, 60);
  return true;
}
