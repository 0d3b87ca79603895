import type { Given, Parts } from "../../../shared/api/protocol/address";
import type { Call } from "../../../shared/api/protocol/call";
import { unreachableError } from "../../../shared/api/protocol/requestError";
import { SerialQueue } from "../../../shared/async/serialQueue";
import { answersTo, findLocally } from "./localAnswers";
import { getReach } from "./reachability";
import { url } from "./url";

/**
 * Milliseconds between the starts of two downloads. WebKit treats the click on a link as the beginning of a navigation,
 * which the next click supersedes until it has become a download; no event reports when.
 */
const GAP_MS = 500;
const starts = new SerialQueue();

/**
 * Starts a browser download of one of our addresses, saved as `name`. Streams to disk without holding the file in
 * memory.
 */
export function download(href: string, name = ""): void {
  void starts.add(() => {
    clickLink(href, name);
    return new Promise<void>((resolve) => setTimeout(resolve, GAP_MS));
  });
}

function clickLink(href: string, name: string): void {
  const link = document.createElement("a");
  link.href = href;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
}

/** Saves a blob as the file `name`. */
function saveFile(file: Blob, name: string): void {
  const href = URL.createObjectURL(file);
  download(href, name);
  // The browser reads the file after this task, and no event reports when it has done so.
  setTimeout(() => URL.revokeObjectURL(href), 60_000);
}

/**
 * Saves the output of a declared GET as the file `name`. The browser downloads it from the server; while the server is
 * away, it is made from the data in this browser, with pending edits. Throws a RequestError if this browser lacks the
 * data. Returns `local` if the file was made here.
 */
export async function downloadOutput<C extends Call>(
  call: C,
  given: Given<C>,
  name: string,
): Promise<"server" | "local"> {
  if (getReach() !== "away") {
    download(url(call, given), name);
    return "server";
  }
  const found = await findLocally(await answersTo(call), call, given as Parts);
  if (found === undefined) throw unreachableError(call.title);
  saveFile(found instanceof Blob ? found : jsonFile(found), name);
  return "local";
}

const jsonFile = (content: unknown): Blob => new Blob([JSON.stringify(content)], { type: "application/json" });
