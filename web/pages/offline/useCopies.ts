import { t } from "@lingui/core/macro";
import { useEffect, useMemo, useState, useSyncExternalStore } from "react";
import { journalName, type Owner } from "../../io/journal/journalName";
import type { Copies } from "../../offline/copies";
import type { CopiesState, CopyProgress } from "../../offline/copy/copiesState";
import { ownerOf, useSession } from "../../queries/session";

/** The user's copies in this browser. Once loaded, `copies` runs commands on them; the other fields are their state. */
export type FoundCopies =
  | { state: "loading" }
  | { state: "unavailable"; reason: string }
  | ({ state: "loaded"; copies: Copies } & Pick<CopiesState, "datasets" | "recent">);

const LOADING = { state: "loading" } as const;
const notLoaded = (): string =>
  t`This part of Limn could not be loaded. Reload the page when the server can be reached.`;
const noStorage = (): string =>
  t`This browser offers no storage for offline copies, perhaps because this is a private window.`;

/** The copies opened last, so that components mounted later show them at once. */
let opened: { name: string; copies: Copies } | undefined;

/** Opens a user's copies. Their code is loaded after the login, because it is large. */
export async function openCopies(owner: Owner): Promise<Copies> {
  const { copiesOf } = await import("../../offline/copies");
  const copies = copiesOf(owner);
  opened = { name: journalName(owner), copies };
  return copies;
}

/** Returns the user's copies, and renders again whenever their state changes. */
export function useCopies(): FoundCopies {
  const { user, installation } = useSession();
  const owner = useMemo(() => ownerOf({ user, installation }), [user, installation]);
  const name = journalName(owner);
  const [copies, setCopies] = useState(opened?.name === name ? opened.copies : undefined);
  const [isFailed, setFailed] = useState(false);
  useEffect(() => {
    let isGone = false;
    openCopies(owner).then(
      (found) => !isGone && setCopies(found),
      () => !isGone && setFailed(true),
    );
    return () => {
      isGone = true;
    };
  }, [owner]);
  const subscribe = useMemo(() => copies?.state.subscribe ?? (() => () => undefined), [copies]);
  const state = useSyncExternalStore(subscribe, () => copies?.state.getState());
  if (isFailed) return { state: "unavailable", reason: notLoaded() };
  if (!copies || !state || state.state === "loading") return LOADING;
  if (state.state === "unavailable") return { state: "unavailable", reason: state.reason ?? noStorage() };
  return { state: "loaded", copies, datasets: state.datasets, recent: state.recent };
}

/** Returns the copy of a dataset; undefined if there is none, and while the copies are loading. */
export function useCopy(datasetId: number): CopyProgress | undefined {
  const found = useCopies();
  return found.state === "loaded" ? copyIn(found.datasets, datasetId) : undefined;
}

export const copyIn = (datasets: readonly CopyProgress[], datasetId: number): CopyProgress | undefined =>
  datasets.find((copy) => copy.datasetId === datasetId);
