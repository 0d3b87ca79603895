import { keepPreviousData, type QueryClient, useMutation, useQueryClient } from "@tanstack/react-query";
import type { z } from "zod";
import { getAnnotation } from "../../shared/api/annotation";
import { generateDataset, getDataset, type imageFilter, scanDataset } from "../../shared/api/datasets/datasetImages";
import { importCoco, importPreviewed, listImports, undoImport } from "../../shared/api/datasets/imports";
import { getOutlines, type OutlinesOfImage } from "../../shared/api/datasets/outlines";
import { deleteExport, exportDataset, listExports } from "../../shared/api/export";
import { deleteImage } from "../../shared/api/image";
import type { OutputOf, RequestOf } from "../../shared/api/protocol/call";
import { PAGE_SIZE } from "../../shared/constants";
import type { Dataset } from "../../shared/entities/dataset";
import type { TaskStarted } from "../../shared/entities/task";
import { foldText } from "../../shared/text/fold";
import { RequestError, request, upload } from "../io/http/request";
import { DATASETS_KEY, datasetKey, TASKS_KEY } from "./keys";
import { type QueryState, useQueryState } from "./queryState";
import { noteStartedTask } from "./tasks";

export type FilterQuery = z.input<typeof imageFilter>;

/** One page of a dataset's images, with the dataset, its categories and folders. */
export interface DatasetPage extends OutputOf<typeof getDataset> {
  /** Time of the request, in milliseconds of performance.now(). */
  requestedAt: number;
}

export const useDatasetPage = (id: number, filter: FilterQuery, page: number) =>
  useQueryState({
    queryKey: [...datasetKey(id), "images", filter, page],
    queryFn: async ({ signal }): Promise<DatasetPage> => {
      const requestedAt = performance.now();
      const query = { ...filter, page, limit: PAGE_SIZE.images };
      return { ...(await request(getDataset, { params: { id }, query }, { signal })), requestedAt };
    },
    placeholderData: (data, query) => (query?.queryKey[1] === id ? keepPreviousData(data) : undefined),
  });

/** Outlines by image, and the colours of the categories. */
export interface PageOutlines {
  images: ReadonlyMap<number, OutlinesOfImage>;
  colors: ReadonlyMap<number, string>;
}

/** Loads the outlines of a page's images; nothing if `ids` is empty. The page shows failures itself. */
export const useOutlines = (datasetId: number | undefined, ids: readonly number[]) =>
  useQueryState({
    queryKey: [...datasetKey(datasetId ?? 0), "outlines", ids],
    queryFn: ({ signal }) =>
      request(getOutlines, { params: { id: datasetId ?? 0 }, query: { ids: [...ids] } }, { signal }),
    select: byImage,
    enabled: datasetId !== undefined && ids.length > 0,
    placeholderData: keepPreviousData,
    meta: { quiet: true },
  });

function byImage({ outlines, categories }: OutputOf<typeof getOutlines>): PageOutlines {
  return {
    images: new Map(outlines.map((each) => [each.id, each])),
    colors: new Map(categories.map(({ id, color }) => [id, color])),
  };
}

/** The part of an image page that describes its dataset. */
export type AboutDataset = Pick<DatasetPage, "dataset" | "categories">;

/**
 * Returns the dataset described by a page of images. The dataset is the same for every filter and page, and
 * `useDatasetPage` never shows another dataset's page as previous data, so the previous page's copy counts as loaded.
 * So does that of the page that was loaded last if this one failed.
 */
export function useAboutDataset(id: number, list: QueryState<DatasetPage>): QueryState<AboutDataset> {
  const client = useQueryClient();
  if (list.state === "loaded") return list;
  const data = list.state === "loading" ? list.previous?.data : lastPage(client, id);
  if (!data) return list;
  const { isFetching, updatedAt, retry } = list;
  return { state: "loaded", data, error: list.state === "failed" ? list.error : null, isFetching, updatedAt, retry };
}

function lastPage(client: QueryClient, id: number): DatasetPage | undefined {
  const pages = client.getQueryCache().findAll({ queryKey: [...datasetKey(id), "images"] });
  const [last] = pages.sort((a, b) => b.state.dataUpdatedAt - a.state.dataUpdatedAt);
  return last?.state.data as DatasetPage | undefined;
}

export const useExports = (id: number) =>
  useQueryState({
    queryKey: [...datasetKey(id), "exports"],
    queryFn: ({ signal }) => request(listExports, { params: { id } }, { signal }),
  });

export function useDeleteExport(datasetId: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => request(deleteExport, { params: { id } }),
    // On failure too: if the export was already gone, the list is out of date.
    onSettled: () => client.invalidateQueries({ queryKey: [...datasetKey(datasetId), "exports"] }),
  });
}

export const useImports = (id: number, isEnabled: boolean) =>
  useQueryState({
    queryKey: [...datasetKey(id), "imports"],
    queryFn: ({ signal }) => request(listImports, { params: { id } }, { signal }),
    enabled: isEnabled,
    staleTime: 0,
  });

/** Returns a function that reloads everything shown of a dataset, for use after its images or annotations changed. */
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
    // On failure too: if the image was already gone, the list is out of date.
    onSettled: refresh,
  });
}

/** Makes a mutation from a call that starts a task, and reloads the task list to show the task's progress. */
export function useTaskStart<V>(start: (value: V) => Promise<TaskStarted>, meta?: { quiet: boolean }) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: start,
    meta,
    onSuccess: ({ id }) => {
      noteStartedTask(id);
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

/** Uploads a COCO file for a dry run of its import. The caller shows failures, because an abort is not a failure. */
export const useDryRun = (id: number) =>
  useTaskStart(
    ({ file, onProgress, signal }: Sending) =>
      upload(importCoco, { params: { id }, query: { dry_run: true }, files: [file], onProgress, signal }),
    { quiet: true },
  );

/** The user's choice of which pixels the file's coordinates refer to: upright or as stored. */
export type PixelsChoice = NonNullable<NonNullable<RequestOf<typeof importPreviewed>["query"]>["pixels"]>;

/** Imports the file of a finished dry run. */
export const useImportPreviewed = (id: number) =>
  useTaskStart(({ dryRunId, pixels }: { dryRunId: number; pixels?: PixelsChoice }) =>
    request(importPreviewed, { params: { id, dryRunId }, query: { pixels } }),
  );

export const useUndoImport = (id: number) =>
  useTaskStart((importId: number) => request(undoImport, { params: { id, importId } }));

/** Query parameters of an export. */
export type ExportChoice = NonNullable<RequestOf<typeof exportDataset>["query"]>;

export const useExport = (id: number) =>
  useTaskStart((query: ExportChoice) => request(exportDataset, { params: { id }, query }));

/** Maximum number of images found. */
const FOUND = 20;

/**
 * Returns the images of a list (its filter in query parameters) whose names contain a text. Loads nothing for an empty
 * text.
 */
export const useImagesByName = (datasetId: number, list: Record<string, string>, text: string) =>
  useQueryState({
    queryKey: [...datasetKey(datasetId), "images by name", list, text],
    queryFn: async ({ signal }) => {
      const query = { ...list, file_name__icontains: text, page: 1, limit: FOUND };
      const { images } = await request(getDataset, { params: { id: datasetId }, query }, { signal });
      const also = foldText(list.file_name__icontains ?? "");
      return images.filter(({ path }) => foldText(path).includes(also));
    },
    enabled: text !== "",
  });

/** Returns the annotation of any image with this id; null if there is none that the user may see. */
export const useAnnotation = (id: number | null) =>
  useQueryState({
    queryKey: ["annotation", id],
    queryFn: ({ signal }) =>
      request(getAnnotation, { params: { id: id ?? 0 } }, { signal }).catch((error: unknown) => {
        if (error instanceof RequestError && error.status === 404) return null;
        throw error;
      }),
    enabled: id !== null,
    staleTime: 0,
    // The annotator itself reports that the session has ended.
    meta: { keepsPage: true },
  });

/** Returns the usernames of the owner and of the members who may annotate, to whom images can be assigned. */
export function assignableNames({ owner, members }: Pick<Dataset, "owner" | "members">): string[] {
  const annotating = members.flatMap(({ username, role }) => (role === "viewer" ? [] : username));
  return [...new Set([...(owner === null ? [] : [owner]), ...annotating])];
}

/** Returns the usernames of a dataset's owner and members, without repeats. */
export const memberNames = ({ owner, users }: Pick<Dataset, "owner" | "users">): string[] => [
  ...new Set([...(owner === null ? [] : [owner]), ...users]),
];
