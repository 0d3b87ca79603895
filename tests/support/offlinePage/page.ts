import { copiesOf } from "../../../web/offline/copies";
import { bareDownload } from "./bareDownload";
import { makeAvailable } from "./makeAvailable";
import { drawOnEach, pendingEdits, sendAll } from "./offlineDay";

/** Functions that tests and measurements call through `window`: copies as in the application, without its pages. */
const offlinePage = { copiesOf, bareDownload, makeAvailable, hashOfFile, drawOnEach, pendingEdits, sendAll };

/** Returns the SHA-256 of an image's file in the copy, in hexadecimal; undefined if it is not here. */
async function hashOfFile(copies: ReturnType<typeof copiesOf>, imageId: number): Promise<string | undefined> {
  const row = await copies.store.files.get(imageId);
  if (!row) return undefined;
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", await row.blob.arrayBuffer()));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

declare global {
  interface Window {
    offlinePage: typeof offlinePage;
  }
}

window.offlinePage = offlinePage;
