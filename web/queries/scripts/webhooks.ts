import { useMutation, useQueryClient } from "@tanstack/react-query";
import {
  createWebhook,
  deleteWebhook,
  listDeliveries,
  listWebhooks,
  pingWebhook,
  repeatDelivery,
  updateWebhook,
} from "../../../shared/api/datasets/webhooks";
import type { BodyOf } from "../../../shared/api/protocol/call";
import { request } from "../../io/http/request";
import { datasetKey } from "../keys";
import { useQueryState } from "../queryState";

/** Largest number of deliveries that a page shows. */
export const SHOWN_DELIVERIES = 100;
/** Milliseconds between two looks at deliveries that are not finished. */
const PAUSE_MS = 3_000;

const keyOf = (datasetId: number) => [...datasetKey(datasetId), "webhooks"] as const;

/** Loads the webhooks of a dataset, again and again while a delivery is pending. */
export const useWebhooks = (datasetId: number) =>
  useQueryState({
    queryKey: keyOf(datasetId),
    queryFn: ({ signal }) => request(listWebhooks, { params: { id: datasetId } }, { signal }),
    refetchInterval: ({ state }) => (state.data?.some(({ pending }) => pending > 0) ? PAUSE_MS : false),
  });

/** Loads the newest deliveries of a webhook, again and again while one is pending. */
export const useDeliveries = (datasetId: number, webhookId: number) =>
  useQueryState({
    queryKey: [...keyOf(datasetId), webhookId],
    queryFn: ({ signal }) =>
      request(listDeliveries, { params: { id: datasetId, webhookId }, query: { limit: SHOWN_DELIVERIES } }, { signal }),
    refetchInterval: ({ state }) => (state.data?.some((delivery) => delivery.state === "pending") ? PAUSE_MS : false),
  });

/** Returns a function that loads the webhooks of a dataset and their deliveries again. */
function useRefresh(datasetId: number) {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: keyOf(datasetId) });
}

/** Adds a webhook. `gcTime` 0 drops the response, which may hold the secret, together with the form that shows it. */
export function useCreateWebhook(datasetId: number) {
  return useMutation({
    mutationFn: (body: BodyOf<typeof createWebhook>) => request(createWebhook, { params: { id: datasetId }, body }),
    onSuccess: useRefresh(datasetId),
    gcTime: 0,
  });
}

/** A change of a webhook. A whole list of events would undo what another user has added or removed. */
type WebhookChange = Omit<BodyOf<typeof updateWebhook>, "events"> & { webhookId: number };

export function useUpdateWebhook(datasetId: number) {
  return useMutation({
    mutationFn: ({ webhookId, ...body }: WebhookChange) =>
      request(updateWebhook, { params: { id: datasetId, webhookId }, body }),
    onSettled: useRefresh(datasetId),
  });
}

export function useDeleteWebhook(datasetId: number) {
  return useMutation({
    mutationFn: (webhookId: number) => request(deleteWebhook, { params: { id: datasetId, webhookId } }),
    onSettled: useRefresh(datasetId),
  });
}

export function usePingWebhook(datasetId: number) {
  return useMutation({
    mutationFn: (webhookId: number) => request(pingWebhook, { params: { id: datasetId, webhookId } }),
    onSettled: useRefresh(datasetId),
  });
}

export function useRepeatDelivery(datasetId: number, webhookId: number) {
  return useMutation({
    mutationFn: (deliveryId: number) => request(repeatDelivery, { params: { id: datasetId, webhookId, deliveryId } }),
    onSettled: useRefresh(datasetId),
  });
}
