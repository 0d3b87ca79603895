import { keepPreviousData, useMutation, useQueryClient } from "@tanstack/react-query";
import * as calls from "../../../shared/api/datasets/consensus";
import type { BodyOf } from "../../../shared/api/protocol/call";
import { request } from "../../io/http/request";
import type { WhichImages } from "../bulk";
import { useRefreshDataset, useTaskStart } from "../dataset";
import { datasetKey } from "../keys";
import { useQueryState } from "../queryState";

const consensusKey = (id: number) => [...datasetKey(id), "consensus"] as const;
const imageKey = (id: number) => ["image", id, "consensus"] as const;

/** Time after which figures are loaded again while comparisons are being computed, in milliseconds. */
const AGAIN_MS = 1_000;
const againWhilePending = ({ state }: { state: { data?: { pending: number } | undefined } }) =>
  state.data && state.data.pending > 0 ? AGAIN_MS : false;

/** Loads the agreement of the annotators of a dataset's copies. */
export const useConsensus = (id: number) =>
  useQueryState({
    queryKey: [...consensusKey(id), "figures"],
    queryFn: ({ signal }) => request(calls.getConsensus, { params: { id } }, { signal }),
    staleTime: 0,
    refetchInterval: againWhilePending,
  });

/** A page of the images that have copies or whose truth is known. */
export const useConsensusImages = (id: number, order: calls.ConsensusOrder, page: number) =>
  useQueryState({
    queryKey: [...consensusKey(id), "images", order, page],
    queryFn: ({ signal }) => request(calls.listConsensusImages, { params: { id }, query: { order, page } }, { signal }),
    placeholderData: keepPreviousData,
    staleTime: 0,
    refetchInterval: againWhilePending,
  });

export const useGiveImages = (id: number) =>
  useTaskStart((body: WhichImages & { users: string[]; is_truth: boolean }) =>
    request(calls.giveImages, { params: { id }, body }),
  );

export function useTakeBackCopies(id: number) {
  const refresh = useRefreshDataset(id);
  return useMutation({
    mutationFn: (image: number) => request(calls.takeBackCopies, { params: { id }, body: { ids: [image] } }),
    onSettled: refresh,
  });
}

export function useMarkTruth(id: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ image, is_truth }: { image: number; is_truth: boolean }) =>
      request(calls.markTruth, { params: { id }, body: { ids: [image], is_truth } }),
    onSettled: () => client.invalidateQueries({ queryKey: consensusKey(id) }),
  });
}

/** Loads the annotations on an image's copies. */
export const useConsensusImage = (id: number) =>
  useQueryState({
    queryKey: imageKey(id),
    queryFn: ({ signal }) => request(calls.getConsensusImage, { params: { id } }, { signal }),
    staleTime: 0,
  });

export function useMergeCopies(id: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: BodyOf<typeof calls.mergeCopies>) => request(calls.mergeCopies, { params: { id }, body }),
    // On failure too: an annotator may have changed a copy.
    onSettled: () => client.invalidateQueries({ queryKey: imageKey(id) }),
  });
}

export function useUndoMerge(id: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (merged_at: string) => request(calls.undoMerge, { params: { id }, body: { merged_at } }),
    onSettled: () => client.invalidateQueries({ queryKey: imageKey(id) }),
  });
}
