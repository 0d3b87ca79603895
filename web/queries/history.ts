import { keepPreviousData } from "@tanstack/react-query";
import { getHistory, getMoment, getVersions } from "../../shared/api/history";
import { request } from "../io/http/request";
import { useQueryState } from "./queryState";

/** An image's history. The keys contain the image's revision, so that changes are loaded as they happen. */

/** The annotator itself reports that the session has ended, and stays open for the sake of an unfinished shape. */
const META = { keepsPage: true };
const historyKey = (imageId: number) => ["history", imageId] as const;

/** Returns a page of steps: the newest ones, or those before a revision. `revision`: the image's revision now. */
export const useHistorySteps = (imageId: number, revision: number, before: number | null) =>
  useQueryState({
    queryKey: [...historyKey(imageId), "steps", before, before === null ? revision : null],
    queryFn: ({ signal }) =>
      request(getHistory, { params: { id: imageId }, query: before === null ? {} : { before } }, { signal }),
    placeholderData: keepPreviousData,
    meta: META,
  });

/** Returns the annotations at a revision; `at` null asks for nothing. */
export const useMoment = (imageId: number, at: number | null, revision: number) =>
  useQueryState({
    queryKey: [...historyKey(imageId), "moment", at, revision],
    queryFn: ({ signal }) => request(getMoment, { params: { id: imageId }, query: { revision: at ?? 0 } }, { signal }),
    placeholderData: keepPreviousData,
    enabled: at !== null,
    gcTime: 60_000,
    meta: META,
  });

/** Returns a page of an annotation's versions: the newest ones, or those before a revision of the image. */
export const useVersions = (imageId: number, uuid: string, revision: number, before: number | null) =>
  useQueryState({
    queryKey: [...historyKey(imageId), "versions", uuid, before, revision],
    queryFn: ({ signal }) =>
      request(getVersions, { params: { id: imageId, uuid }, query: before === null ? {} : { before } }, { signal }),
    placeholderData: keepPreviousData,
    meta: META,
  });
