import { expose } from "comlink";
import { downloadFile, type FilePart, type FileRequest } from "./functions/downloadFile";
import { life } from "./life";
import { type CachedFile, keepCachedFile } from "./model/cachedFile";
import { networkFileOf, runtimeFileOf } from "./model/dextrFiles";
import type { OnnxRuntime } from "./model/onnx";

/** Running downloads, by the page's key. */
const running = new Map<string, AbortController>();

/** The functions of the worker that downloads files for offline work. */
const functions = {
  ...life,
  download: async (key: string, request: FileRequest, onPart: ((part: FilePart) => void) | null) => {
    const abort = new AbortController();
    running.set(key, abort);
    try {
      return await downloadFile(request, onPart, abort.signal);
    } finally {
      running.delete(key);
    }
  },
  /** Stops a download. Its result contains the part of the file that has arrived. */
  stop: (key: string): void => running.get(key)?.abort(),
  /** Puts the DEXTR network and the runtimes into the browser's cache. `model`: null for the built-in network. */
  keepDextr: async (model: CachedFile | null, runtimes: readonly OnnxRuntime[]): Promise<void> => {
    for (const file of [...runtimes.map(runtimeFileOf), networkFileOf(model)]) await keepCachedFile(file);
  },
};
export type DownloadFunctions = typeof functions;

expose(functions);
