import { queryOptions, useQueryClient } from "@tanstack/react-query";
import { getManifest } from "../../../shared/api/offline";
import { request } from "../../io/http/request";
import type { Copies } from "../../offline/copies";
import type { Estimate } from "../../offline/copy/copiesState";
import type { Choice, FileForm } from "../../offline/copy/records";
import { type QueryState, useQueryState } from "../../queries/queryState";
import { idsOf, type ShownList, type Wish } from "./wishes";

/** Time for which a dialog uses one manifest, in milliseconds. */
const MANIFEST_MS = 60_000;

const manifestQuery = (datasetId: number) =>
  queryOptions({
    queryKey: ["manifest", datasetId],
    queryFn: ({ signal }) => request(getManifest, { params: { id: datasetId } }, { signal }),
    staleTime: MANIFEST_MS,
    gcTime: MANIFEST_MS,
    meta: { quiet: true },
  });

export interface Wanted {
  datasetId: number;
  form: FileForm;
  wish: Wish;
  /** The list that the wish refers to. */
  list: ShownList | undefined;
}

/** Returns the choice of images that the user's wish stands for, and its estimated size. */
export function useEstimate(
  copies: Copies,
  { datasetId, form, wish, list }: Wanted,
): QueryState<{ choice: Choice; estimate: Estimate }> {
  const client = useQueryClient();
  return useQueryState({
    queryKey: ["estimate", datasetId, form, wish, list?.query, list?.page],
    queryFn: async ({ signal }) => {
      const isListed = wish.kind === "filter" || wish.kind === "next";
      const images = isListed ? (await client.fetchQuery(manifestQuery(datasetId))).images : [];
      signal.throwIfAborted();
      const choice: Choice = { form, ids: idsOf(wish, images, list) };
      return { choice, estimate: await copies.estimate(datasetId, choice, signal) };
    },
    staleTime: 0,
    gcTime: 0,
    meta: { quiet: true },
  });
}
