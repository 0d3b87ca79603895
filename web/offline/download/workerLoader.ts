import { proxy } from "comlink";
import { getImage } from "../../../shared/api/image";
import { INSTALLATION_HEADER } from "../../../shared/api/protocol/headers";
import type { DownloadFunctions } from "../../../workers/downloadWorker";
import type { FileRequest } from "../../../workers/functions/downloadFile";
import { dextrModel } from "../../io/dextr/dextrModel";
import { orderOf, recallChoice, recallComparison } from "../../io/dextr/runtimeChoice";
import { url } from "../../io/http/url";
import { uuid } from "../../io/uuid";
import { WorkerThread } from "../../io/workers/workerThread";
import { isReduced } from "../copy/chosen";
import { DISPLAY_SIDE } from "../copy/records";
import type { FetchedFile, FileLoader, FileWish, Part } from "./ports";

/** Expected bytes from which a file is stored in parts while it arrives. */
const LONG_BYTES = 8_000_000;

/** Returns the address of an image's file in a form. */
export const addressOfFile = ({ imageId: id, ...wish }: Pick<FileWish, "imageId" | "form" | "width" | "height">) =>
  url(getImage, { params: { id }, ...(isReduced(wish.form, wish) && { query: DISPLAY }) });
const DISPLAY = { width: DISPLAY_SIDE, height: DISPLAY_SIDE };

/** Returns a file from the browser's cache; undefined if that fails. Needs no worker, which may not start offline. */
async function cachedFile({ address, headers }: FileRequest, signal: AbortSignal): Promise<FetchedFile | undefined> {
  try {
    const response = await fetch(address, { credentials: "same-origin", headers, cache: "force-cache", signal });
    return response.ok ? { kind: "file", blob: await response.blob() } : undefined;
  } catch {
    return undefined;
  }
}

/** Downloads files of an installation in a worker of this page, which starts on first use. */
export class WorkerLoader implements FileLoader {
  private readonly thread = new WorkerThread<DownloadFunctions>(
    () =>
      new Worker(new URL("../../../workers/downloadWorker.ts", import.meta.url), { type: "module", name: "download" }),
  );

  constructor(private readonly installation: string | null) {}

  async load(wish: FileWish, onPart: (part: Part) => void, signal: AbortSignal): Promise<FetchedFile> {
    const request: FileRequest = {
      address: addressOfFile(wish),
      headers: { ...(this.installation && { [INSTALLATION_HEADER]: this.installation }) },
      cache: wish.isShown ? "default" : "no-store",
      part: wish.part && { blob: wish.part.blob, tag: wish.part.tag },
    };
    const fetched = await this.loadInWorker(wish, request, onPart, signal);
    const isAway = fetched.kind === "failed" && fetched.status === 0;
    if (!isAway || !wish.isShown || wish.part || signal.aborted) return fetched;
    return (await cachedFile(request, signal)) ?? fetched;
  }

  private async loadInWorker(
    wish: FileWish,
    request: FileRequest,
    onPart: (part: Part) => void,
    signal: AbortSignal,
  ): Promise<FetchedFile> {
    const key = uuid();
    const stop = () => void this.thread.call((to) => to.stop(key)).catch(() => undefined);
    signal.addEventListener("abort", stop, { once: true });
    try {
      const handlePart = wish.bytes < LONG_BYTES ? null : proxy(onPart);
      return await this.thread.call<FetchedFile>(async (to) => await to.download(key, request, handlePart));
    } catch {
      // The worker has ended, or could not start because its code is not in this browser.
      return { kind: "failed", status: 0, part: wish.part };
    } finally {
      signal.removeEventListener("abort", stop);
    }
  }

  async keepDextr(): Promise<void> {
    const { model } = await dextrModel();
    const [first] = orderOf(recallChoice(), recallComparison());
    const runtimes = first === "webgpu" ? (["webgpu", "wasm"] as const) : (["wasm"] as const);
    await this.thread.call((to) => to.keepDextr(model, runtimes));
  }

  close(): void {
    this.thread.close();
  }
}
