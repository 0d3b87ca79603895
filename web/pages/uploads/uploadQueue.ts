import { msg, t } from "@lingui/core/macro";
import { uploadToDataset } from "../../../shared/api/datasets/datasetImages";
import type { OutputOf } from "../../../shared/api/protocol/call";
import { RequestError, upload } from "../../io/http/request";
import { i18n } from "../../languages/i18n";
import { serverText } from "../../languages/serverText";
import { batches, type UploadFile } from "./uploads";

/** Outcome of a file that was not added as a new image: restored, already in the dataset, refused, a zip, or failed. */
export interface UploadResult {
  path: string;
  message: string;
  isFailure: boolean;
  /** The file, if it can be sent again. */
  retry?: UploadFile;
  /** Target folder in the dataset. */
  folder: string;
}

export interface UploadState {
  total: number;
  done: number;
  added: number;
  /** Fraction of all bytes that has been sent, 0 to 1. */
  share: number;
  isActive: boolean;
  /** True after a cancel, while the response to the files already sent is outstanding. */
  isCancelled: boolean;
  results: UploadResult[];
}

interface Batch {
  files: UploadFile[];
  /** Target folder in the dataset: the one that was open when the files were added. */
  folder: string;
}

const NOTHING: UploadState = {
  total: 0,
  done: 0,
  added: 0,
  share: 0,
  isActive: false,
  isCancelled: false,
  results: [],
};
const TEXTS = {
  known: msg`Already in the dataset.`,
  restored: msg`Restored from the trash.`,
  refused: msg`Refused.`,
  task: msg`Being unpacked; see Tasks.`,
};

/**
 * Uploads files to a dataset in requests of bounded size, one after the other. A failed request does not stop the
 * next. The queue is independent of the pages, so navigating within the application does not interrupt it.
 */
export class UploadQueue {
  private state = NOTHING;
  private waiting: Batch[] = [];
  private abort: AbortController | null = null;
  /** Fraction of the current request that has been sent, 0 to 1. */
  private sentShare = 0;
  private bytes = { sent: 0, total: 0 };
  private readonly listeners = new Set<() => void>();

  /** `onBatch` is called after each request. */
  constructor(
    private readonly datasetId: number,
    private readonly onBatch: () => void,
  ) {}

  readonly getState = (): UploadState => this.state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  add(files: UploadFile[], folder: string): void {
    if (files.length === 0) return;
    this.waiting.push(...batches(files).map((batch) => ({ files: batch, folder })));
    this.bytes.total += sizeOf(files);
    this.set({ total: this.state.total + files.length, isActive: true, isCancelled: false });
    if (!this.abort) void this.run();
  }

  /** Sends failed files again, to their original folders. Files that the server refused stay in the results. */
  retry(): void {
    const { results, total, done } = this.state;
    const again = results.filter(({ retry }) => retry);
    const count = again.length;
    this.set({ results: results.filter(({ retry }) => !retry), total: total - count, done: done - count });
    for (const folder of new Set(again.map((result) => result.folder)))
      this.add(
        again.flatMap(({ retry, folder: own }) => (retry && own === folder ? retry : [])),
        folder,
      );
  }

  /**
   * Stops sending. A request that is already sent completely is not aborted: the server may have stored its files,
   * and the response reports what became of them.
   */
  cancel(): void {
    if (!this.state.isActive) return;
    this.set({ isCancelled: true });
    for (const batch of this.waiting.splice(0)) this.fail(batch, t`Cancelled.`);
    if (this.sentShare < 1) this.abort?.abort(new Error("Cancelled"));
  }

  /** Resets the state. Does nothing while an upload is active. */
  clear(): void {
    if (!this.state.isActive) this.set(NOTHING);
  }

  private async run(): Promise<void> {
    this.abort = new AbortController();
    const { signal } = this.abort;
    for (let batch = this.waiting.shift(); batch; batch = this.waiting.shift()) {
      await this.send(batch, signal);
      this.bytes.sent += sizeOf(batch.files);
      this.onBatch();
    }
    this.abort = null;
    this.bytes = { sent: 0, total: 0 };
    this.set({ isActive: false, isCancelled: false });
  }

  private async send(batch: Batch, signal: AbortSignal): Promise<void> {
    const { files, folder } = batch;
    const size = sizeOf(files);
    this.sentShare = 0;
    try {
      const response = await upload(uploadToDataset, {
        params: { id: this.datasetId },
        fields: { folder, paths: files.map(({ path }) => path) },
        files: files.map(({ file }) => file),
        onProgress: (share) => {
          this.sentShare = share;
          this.set({ share: (this.bytes.sent + share * size) / Math.max(1, this.bytes.total) });
        },
        signal,
      });
      const added = response.files.filter(({ status }) => status === "added").length;
      this.note(
        files.length,
        added,
        response.files.flatMap((file) => resultOf(file, folder)),
      );
    } catch (error) {
      const message = signal.aborted
        ? t`Cancelled.`
        : error instanceof RequestError
          ? serverText(error.message)
          : String(error);
      this.fail(batch, message);
    }
  }

  private fail({ files, folder }: Batch, message: string): void {
    const results = files.map((retry) => ({ path: retry.path, message, isFailure: true, retry, folder }));
    this.note(files.length, 0, results);
  }

  private note(done: number, added: number, results: UploadResult[]): void {
    const { state } = this;
    this.set({ done: state.done + done, added: state.added + added, results: [...state.results, ...results] });
  }

  private set(part: Partial<UploadState>): void {
    this.state = { ...this.state, ...part };
    for (const listener of this.listeners) listener();
  }
}

const sizeOf = (files: readonly UploadFile[]): number => files.reduce((sum, { file }) => sum + file.size, 0);

type UploadedFile = OutputOf<typeof uploadToDataset>["files"][number];

function resultOf({ path, status, message }: UploadedFile, folder: string): UploadResult[] {
  if (status === "added") return [];
  return [
    { path, message: message ? serverText(message) : i18n._(TEXTS[status]), isFailure: status === "refused", folder },
  ];
}
