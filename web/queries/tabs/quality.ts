import { keepPreviousData, useMutation, useQueryClient } from "@tanstack/react-query";
import * as calls from "../../../shared/api/datasets/quality";
import type { FindingKind } from "../../../shared/quality/finding";
import { request } from "../../io/http/request";
import { useRefreshDataset, useTaskStart } from "../dataset";
import { datasetKey } from "../keys";
import { useQueryState } from "../queryState";

const qualityKey = (id: number) => [...datasetKey(id), "quality"] as const;

/** The numbers of findings by kind, the time of the last check, and the fixes that can be undone. */
export const useQuality = (id: number) =>
  useQueryState({
    queryKey: [...qualityKey(id), "kinds"],
    queryFn: ({ signal }) => request(calls.getQuality, { params: { id } }, { signal }),
    staleTime: 0,
  });

/** Findings that are listed: `likely` is the category that they suggest, undefined for all. */
interface ListedFindings {
  kind: FindingKind;
  likely: number | undefined;
  ignored: boolean;
  page: number;
}

/** A page of the findings of a kind; either the ignored ones or the others. */
export const useFindings = (id: number, listed: ListedFindings) =>
  useQueryState({
    queryKey: [...qualityKey(id), "findings", listed],
    queryFn: ({ signal }) => request(calls.listFindings, { params: { id }, query: listed }, { signal }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });

/**
 * Findings that a command is about: some by id, or all of the kind, or all that suggest the category `likely`. `total`
 * and `digest` came with the list that the user saw; if one of them differs on the server, nothing is done.
 */
export type WhichFindings = { kind: FindingKind; likely?: number | undefined } & (
  | { ids: number[] }
  | { total: number; digest: number }
);

export const useStartQualityCheck = (id: number) =>
  useTaskStart(() => request(calls.startQualityCheck, { params: { id } }));

export function useIgnoreFindings(id: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: WhichFindings & { ignored: boolean }) => request(calls.ignoreFindings, { params: { id }, body }),
    // On failure too: the findings may have changed.
    onSettled: () => client.invalidateQueries({ queryKey: qualityKey(id) }),
  });
}

export function useFixFindings(id: number) {
  const refresh = useRefreshDataset(id);
  const start = useTaskStart((body: WhichFindings) => request(calls.fixFindings, { params: { id }, body }));
  return {
    ...start,
    /** Starts the fix. If it is refused, the findings are loaded again, as they have changed. */
    fix: (which: WhichFindings, onStarted?: () => void) =>
      start.mutate(which, { onSuccess: onStarted, onError: () => void refresh() }),
  };
}

export const useUndoFixes = (id: number) =>
  useTaskStart((undo: string) => request(calls.undoFixes, { params: { id }, body: { undo } }));
