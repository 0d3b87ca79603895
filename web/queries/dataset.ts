import { keepPreviousData, useMutation, useQueryClient } from "@tanstack/react-query";
import type { z } from "zod";
import {
  generateDataset,
  getDataset,
  type imageFilter,
  importCoco,
  importPreviewed,
  listImports,
  scanDataset,
  undoImport,
} from "../../shared/api/dataset";
import { exportDataset, listExports } from "../../shared/api/export";
import { deleteImage } from "../../shared/api/image";
import type { OutputOf, RequestOf } from "../../shared/api/protocol/call";
import { PAGE_SIZE } from "../../shared/constants";
import { request, upload } from "../io/http/request";
import { type Answer, useAnswer } from "./answer";
import { DATASETS_KEY, datasetKey, TASKS_KEY } from "./keys";
import { noteStarted } from "./tasks";

export type FilterQuery = z.input<typeof imageFilter>;

/** One page of a dataset's images, and what stands around it. */
export interface DatasetPage extends OutputOf<typeof getDataset> {
  /** Milliseconds of Date.now(). */
  askedAt: number;
}

export const useDatasetPage = (id: number, filter: FilterQuery, page: number) =>
  useAnswer({
    queryKey: [...datasetKey(id), "images", filter, page],
    queryFn: async ({ signal }): Promise<DatasetPage> => {
      const askedAt = Date.now();
      const query = { ...filter, page, limit: PAGE_SIZE.images };
      return { ...(await request(getDataset, { params: { id }, query }, { signal })), askedAt };
    },
    placeholderData: (data, query) => (query?.queryKey[1] === id ? keepPreviousData(data) : undefined),
  });

/** The part of a page of images that is about its dataset. */
export type AboutDataset = Pick<DatasetPage, "dataset" | "categories">;

/**
 * Returns what a page of images says about its dataset. It is the same for every filter and page, and no page of another
 * dataset is ever shown in place of this one's: so that of the page before will do until the asked one is here.
 */
export function aboutDataset(list: Answer<DatasetPage>): Answer<AboutDataset> {
  if (list.state !== "loading" || !list.previous) return list;
  const { previous, ...asked } = list;
  return { ...asked, state: "here", data: previous.look, error: null };
}

export const useExports = (id: number) =>
  useAnswer({
    queryKey: [...datasetKey(id), "exports"],
    queryFn: ({ signal }) => request(listExports, { params: { id } }, { signal }),
  });

export const useImports = (id: number, isWanted: boolean) =>
  useAnswer({
    queryKey: [...datasetKey(id), "imports"],
    queryFn: ({ signal }) => request(listImports, { params: { id } }, { signal }),
    enabled: isWanted,
    staleTime: 0,
  });

/** After images or annotations of a dataset have changed, everything shown of it is asked for again. */
export function useRefreshDataset(id: number) {
  const client = useQueryClient();
  return () => {
    void client.invalidateQueries({ queryKey: DATASETS_KEY });
    return client.invalidateQueries({ queryKey: datasetKey(id) });
  };
}

export function useDeleteImage(datasetId: number) {
  const refresh = useRefreshDataset(datasetId);
  return useMutation({
    mutationFn: (id: number) => request(deleteImage, { params: { id } }),
    // Also when it was gone already: the list is out of date then.
    onSettled: refresh,
  });
}

/** Calls that start a task: the list of tasks must know it before its progress can be shown. */
function useTaskStart<V>(start: (value: V) => Promise<{ id: number }>, meta?: { quiet: boolean }) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: start,
    meta,
    onSuccess: ({ id }) => {
      noteStarted(id);
      return client.invalidateQueries({ queryKey: TASKS_KEY });
    },
  });
}

export const useGenerate = (id: number) =>
  useTaskStart((body: { keywords: string; limit: number }) => request(generateDataset, { params: { id }, body }));

export const useScan = (id: number) => useTaskStart(() => request(scanDataset, { params: { id } }));

interface Sending {
  file: File;
  onProgress: (share: number) => void;
  signal: AbortSignal;
}

/** Sends a COCO file for a dry run of its import. The caller tells failures, since being aborted is none. */
export const useDryRun = (id: number) =>
  useTaskStart(
    ({ file, onProgress, signal }: Sending) =>
      upload(importCoco, { params: { id }, query: { dry_run: true }, files: [file], onProgress, signal }),
    { quiet: true },
  );

/** The pixels that a file was made for, by the user's word. */
export type PixelsChoice = NonNullable<NonNullable<RequestOf<typeof importPreviewed>["query"]>["pixels"]>;

/** Imports the file of a dry run. */
export const useImportPreviewed = (id: number) =>
  useTaskStart(({ dryRunId, pixels }: { dryRunId: number; pixels?: PixelsChoice }) =>
    request(importPreviewed, { params: { id, dryRunId }, query: { pixels } }),
  );

export const useUndoImport = (id: number) =>
  useTaskStart((importId: number) => request(undoImport, { params: { id, importId } }));

/** Contents of an export, as the call takes them. */
export type ExportChoice = NonNullable<RequestOf<typeof exportDataset>["query"]>;

export const useExport = (id: number) =>
  useTaskStart((query: ExportChoice) => request(exportDataset, { params: { id }, query }));
