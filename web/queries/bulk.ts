import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { z } from "zod";
import { countBoxes, outlineBoxes, restoreBoxes } from "../../shared/api/datasets/boxes";
import {
  assignImages,
  deleteImages,
  getSelection,
  type ImagesChanged,
  labelImages,
  markImages,
  moveImages,
  restoreImages,
  takeBackImages,
} from "../../shared/api/datasets/bulk";
import type { imageFilter } from "../../shared/api/datasets/datasetImages";
import type { OutputOf } from "../../shared/api/protocol/call";
import type { ImageSummary, Stage } from "../../shared/entities/image";
import { RequestError, request } from "../io/http/request";
import { useRefreshDataset, useTaskStart } from "./dataset";
import { datasetKey, TASKS_KEY, UNDO_KEY } from "./keys";
import { useQueryState } from "./queryState";

type ListFilter = Omit<z.input<typeof imageFilter>, "order">;

/** Images by id, or all that match a filter except some. `total` is the number of images that the user sees. */
export type ChosenImages = { ids: number[] } | { filter: ListFilter; except: number[]; total: number };

/**
 * Target of a bulk command. If on the server `total` is another number, or `digest` stands for other images than those
 * that match, nothing is changed (error `total_changed`).
 */
export type WhichImages = { ids: number[] } | (Extract<ChosenImages, { filter: unknown }> & { digest: number });

/** A command on many images of a dataset. */
export type BulkCommand =
  | { what: "delete" }
  | { what: "move"; folder: string }
  | { what: "label"; add: number[]; remove: number[] }
  | { what: "mark"; done: boolean }
  | { what: "mark"; stage: Stage }
  | { what: "assign"; users: string[] };

/** An image as the user saw it in the list: a command that would replace another stage or user leaves it alone. */
export type SeenImage = Pick<ImageSummary, "id" | "stage" | "assignee">;

/** Digests of the stages and assignees of all images of a filter: if they differ on the server, nothing is changed. */
export type ValueDigests = Partial<Pick<Digests, "stages" | "assignees">>;

interface Sent {
  command: BulkCommand;
  which: WhichImages;
  /** Images that the user has seen; may lack some. */
  images: readonly SeenImage[];
  /** Absent for images by id. */
  digests?: ValueDigests | undefined;
}

function send(id: number, { command, which, images, digests }: Sent): Promise<ImagesChanged> {
  const params = { id };
  switch (command.what) {
    case "delete":
      return request(deleteImages, { params, body: which });
    case "move":
      return request(moveImages, { params, body: { ...which, folder: command.folder } });
    case "label":
      return request(labelImages, { params, body: { ...which, add: command.add, remove: command.remove } });
    case "assign":
      return request(assignImages, {
        params,
        body: { ...which, users: command.users, assignees: digests?.assignees, seen: byAssignee(images) },
      });
    case "mark":
      return request(markImages, {
        params,
        body: {
          ...which,
          ...("stage" in command ? { stage: command.stage } : { done: command.done }),
          stages: digests?.stages,
          seen: byStage(images),
        },
      });
  }
}

/** All images that match a filter. `moment` is another number each time that the user selects them. */
export interface AllImages {
  filter: ListFilter;
  moment: number;
}

/** Digests of all images of a filter. */
export type Digests = OutputOf<typeof getSelection>;

/** Digests of the moment at which all images were selected, and of the last time that the dataset was loaded. */
interface DigestsOfSelection {
  chosen: Digests;
  now: Digests;
}

/**
 * Loads the digests of all images that match a filter; nothing if there is no filter. `now` is loaded again with the
 * dataset. By `chosen` the server notices what other users have changed since all were selected.
 */
export const useDigests = (id: number, all: AllImages | undefined) =>
  useQueryState({
    queryKey: [...datasetKey(id), "selection", all],
    queryFn: async ({ client, queryKey, signal }): Promise<DigestsOfSelection> => {
      const now = await request(getSelection, { params: { id }, query: all?.filter }, { signal });
      return { chosen: client.getQueryData<DigestsOfSelection>(queryKey)?.chosen ?? now, now };
    },
    enabled: all !== undefined,
    gcTime: 0,
  });

const byStage = (images: readonly SeenImage[]) =>
  [...new Set(images.map(({ stage }) => stage))].map((stage) => ({
    stage,
    ids: images.filter((image) => image.stage === stage).map(({ id }) => id),
  }));

const byAssignee = (images: readonly SeenImage[]) =>
  [...new Set(images.map(({ assignee = null }) => assignee))].map((assignee) => ({
    assignee,
    ids: images.filter((image) => (image.assignee ?? null) === assignee).map(({ id }) => id),
  }));

interface Handlers<SentCommand> {
  onDone: (result: ImagesChanged, sent: SentCommand) => void;
  onFail: (error: Error, sent: SentCommand) => void;
}

/**
 * Sends bulk commands. The handlers are called for each command, even after the component that sent it has unmounted,
 * and must show failures.
 */
export function useBulkCommand<SentCommand extends Sent>(datasetId: number, { onDone, onFail }: Handlers<SentCommand>) {
  const refresh = useRefreshAfter(datasetId);
  return useMutation({
    mutationFn: (sent: SentCommand) => send(datasetId, sent),
    onSuccess: onDone,
    onError: onFail,
    onSettled: refresh,
    meta: { quiet: true },
  });
}

export const useRestoreImages = (datasetId: number) =>
  useUndo(datasetId, (params, undo) => request(restoreImages, { params, body: { undo } }));

/** Reverts moves, labels and stages. */
export const useTakeBackImages = (datasetId: number) =>
  useUndo(datasetId, (params, undo) => request(takeBackImages, { params, body: { undo } }));

function useUndo(datasetId: number, change: (params: { id: number }, undo: string) => Promise<ImagesChanged>) {
  const refresh = useRefreshAfter(datasetId);
  return useMutation({ mutationFn: (undo: string) => change({ id: datasetId }, undo), onSettled: refresh });
}

/** The boxes of images; with `categories`, only boxes of these categories. */
export type WhichBoxes = WhichImages & { categories?: number[] };

/** Counts the boxes of images, and lists the changes of boxes that can be undone. */
export const useBoxCount = (id: number, which: WhichBoxes) =>
  useQueryState({
    queryKey: [...datasetKey(id), "boxes", which],
    queryFn: ({ signal }) => request(countBoxes, { params: { id }, body: which }, { signal }),
    gcTime: 0,
  });

/** Outlines boxes. `boxes`: the number that the user saw; if it differs on the server, nothing is changed. */
export const useOutlineBoxes = (id: number) =>
  useTaskStart((which: WhichBoxes & { boxes: number }) => request(outlineBoxes, { params: { id }, body: which }));

export const useRestoreBoxes = (id: number) =>
  useTaskStart((undo: string) => request(restoreBoxes, { params: { id }, body: { undo } }));

/** Returns a function that reloads the dataset, the tasks and the trash. */
function useRefreshAfter(datasetId: number) {
  const client = useQueryClient();
  const refresh = useRefreshDataset(datasetId);
  return () => {
    for (const key of [TASKS_KEY, UNDO_KEY]) void client.invalidateQueries({ queryKey: key });
    return refresh();
  };
}

/** Returns the digest in a `total_changed` error of a command on images: which images it would affect now. */
export const digestIn = (error: Error): number | undefined =>
  error instanceof RequestError && error.code === "total_changed" ? error.facts.digest : undefined;

/** Returns the digests in a `total_changed` error of a command that marks or assigns images. */
export function valueDigestsIn(error: Error): ValueDigests {
  if (!(error instanceof RequestError) || error.code !== "total_changed") return {};
  const { stages, assignees } = error.facts;
  return { ...(stages !== undefined && { stages }), ...(assignees !== undefined && { assignees }) };
}

/** Returns the number in a `total_changed` error: how many things the command would affect now. */
export const totalIn = (error: Error): number | undefined =>
  error instanceof RequestError && error.code === "total_changed" ? error.facts.total : undefined;
