import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { uploadToDataset } from "../../../shared/api/dataset";
import { RequestError, upload } from "../../io/request";
import { useRefreshDataset } from "../../queries/dataset";
import { TASKS_KEY } from "../../queries/keys";
import { batches, type UploadFile } from "./uploads";

/** What became of a file that is not simply there now. */
export interface UploadResult {
  path: string;
  message: string;
  isFailure: boolean;
  /** Kept, so that it can be sent again. */
  retry?: UploadFile;
}

export interface UploadState {
  total: number;
  done: number;
  added: number;
  /** Share of all bytes sent, 0 to 1. */
  share: number;
  isActive: boolean;
  results: UploadResult[];
}

const NOTHING: UploadState = { total: 0, done: 0, added: 0, share: 0, isActive: false, results: [] };

/** Sends files to a dataset, one bounded request after the other; a failed request does not stop the next. */
export function useUploads(datasetId: number) {
  const [state, setState] = useState(NOTHING);
  const queue = useRef<{ files: UploadFile[]; folder: string }[]>([]);
  const abort = useRef<AbortController | null>(null);
  const bytes = useRef({ sent: 0, total: 0 });
  const refresh = useRefreshDataset(datasetId);
  const client = useQueryClient();

  const add = (files: UploadFile[], folder: string) => {
    if (files.length === 0) return;
    queue.current.push(...batches(files).map((batch) => ({ files: batch, folder })));
    bytes.current.total += sizeOf(files);
    setState((old) => ({ ...old, total: old.total + files.length, isActive: true }));
    if (!abort.current) void run();
  };

  const run = async () => {
    abort.current = new AbortController();
    const { signal } = abort.current;
    for (let batch = queue.current.shift(); batch && !signal.aborted; batch = queue.current.shift()) {
      await send(batch.files, batch.folder, signal);
      bytes.current.sent += sizeOf(batch.files);
      void refresh();
    }
    abort.current = null;
    bytes.current = { sent: 0, total: 0 };
    setState((old) => ({ ...old, isActive: false }));
    void client.invalidateQueries({ queryKey: TASKS_KEY });
  };

  const send = async (files: UploadFile[], folder: string, signal: AbortSignal) => {
    const size = sizeOf(files);
    const handleProgress = (share: number) =>
      setState((old) => ({ ...old, share: (bytes.current.sent + share * size) / Math.max(1, bytes.current.total) }));
    try {
      const answer = await upload(uploadToDataset, {
        params: { id: datasetId },
        fields: { folder, paths: files.map(({ path }) => path) },
        files: files.map(({ file }) => file),
        onProgress: handleProgress,
        signal,
      });
      note(
        files.length,
        answer.files.filter(({ status }) => status === "added").length,
        answer.files.flatMap(resultOf),
      );
    } catch (error) {
      const message = signal.aborted ? "Cancelled." : error instanceof RequestError ? error.message : String(error);
      note(
        files.length,
        0,
        files.map((retry) => ({ path: retry.path, message, isFailure: true, retry })),
      );
    }
  };

  const note = (done: number, added: number, results: UploadResult[]) =>
    setState((old) => ({
      ...old,
      done: old.done + done,
      added: old.added + added,
      results: [...old.results, ...results],
    }));

  const cancel = () => {
    const waiting = queue.current.splice(0).flatMap(({ files }) => files);
    note(
      waiting.length,
      0,
      waiting.map((retry) => ({ path: retry.path, message: "Cancelled.", isFailure: true, retry })),
    );
    abort.current?.abort(new Error("Cancelled"));
  };

  const clear = () => setState((old) => (old.isActive ? old : NOTHING));

  return { state, add, cancel, clear };
}

const sizeOf = (files: readonly UploadFile[]): number => files.reduce((sum, { file }) => sum + file.size, 0);

type Answer = { path: string; status: "added" | "known" | "restored" | "refused" | "task"; message: string | null };

function resultOf({ path, status, message }: Answer): UploadResult[] {
  if (status === "added") return [];
  const texts = {
    known: "Is in the dataset already.",
    restored: "Was in the bin and is back.",
    refused: "Refused.",
    task: "Is being unpacked; see Tasks.",
  };
  return [{ path, message: message ?? texts[status], isFailure: status === "refused" }];
}
