import { useLayoutEffect, useRef, useState } from "react";
import { showError } from "../../../components/messages/toast";
import {
  type BulkCommand,
  digestIn,
  type SeenImage,
  totalIn,
  useBulkCommand,
  useDigests,
  type ValueDigests,
  valueDigestsIn,
  type WhichImages,
} from "../../../queries/bulk";
import type { Failed } from "../../../queries/queryState";
import { useBulkReport } from "./useBulkReport";
import type { SelectedImages, ShownImages } from "./useSelectedImages";

/** Target of a bulk command: the selected images as the user saw them. */
export interface SeenImages extends ShownImages {
  which: WhichImages;
  /** The same with a digest as new as the list, for dialogs that show what they would change. */
  whichNow: WhichImages;
  digests?: ValueDigests;
}

interface SentCommand {
  command: BulkCommand;
  which: WhichImages;
  images: readonly SeenImage[];
  digests: ValueDigests | undefined;
  seen: SeenImages;
}

/** A command that changed nothing, because other images match now or another user has marked or assigned some. */
export interface RefusedCommand extends SentCommand {
  /** The number of images that match now. */
  total: number;
  digest: number;
}

interface Target {
  /** Undefined while the list or the digest is loading. */
  seen: SeenImages | undefined;
  /** Set if the digest could not be loaded. */
  failed: Failed | undefined;
}

/**
 * Returns the target of commands on the shown images. All images of a filter get a digest, by which the server notices
 * if other images match when a command arrives: their number alone stays the same if one has come while another went.
 * By digests of their stages and assignees it notices what other users have changed on pages that were not shown.
 */
function useSeenImages(datasetId: number, { shown, all }: Pick<SelectedImages, "shown" | "all">): Target {
  const digests = useDigests(datasetId, all);
  if (!shown) return { seen: undefined, failed: undefined };
  const { which, ...rest } = shown;
  if ("ids" in which) return { seen: { ...rest, which, whichNow: which }, failed: undefined };
  if (digests.state === "failed") return { seen: undefined, failed: digests };
  if (digests.state === "loading") return { seen: undefined, failed: undefined };
  const { chosen, now } = digests.data;
  const { digest, stages, assignees } = chosen;
  const seen = {
    which: { ...which, digest },
    whichNow: { ...which, digest: now.digest },
    digests: { stages, assignees },
  };
  return { seen: { ...rest, ...seen }, failed: undefined };
}

/**
 * Sends bulk commands on a selection. Results are shown even if the user has moved on; they clear only the selection
 * and close only the dialog that they belong to. `refused` is a command that the user has to confirm again.
 */
export function useBulkCommands(
  datasetId: number,
  { selected, count, shown, all, forget, asSeen }: SelectedImages,
  onEnd: (of: SeenImages) => void,
) {
  const report = useBulkReport(datasetId);
  const [refused, setRefused] = useState<RefusedCommand>();
  /** Undefined while no image is selected. */
  const now = useRef<SelectedImages["selected"]>(undefined);
  const hasImages = count > 0;
  useLayoutEffect(() => {
    now.current = hasImages ? selected : undefined;
    return () => {
      now.current = undefined;
    };
  }, [selected, hasImages]);
  /** Selections with a pending command. A ref, because a second click may arrive before `isPending` is rendered. */
  const underWay = useRef(new Set<object>());
  const { mutate, isPending, variables } = useBulkCommand<SentCommand>(datasetId, {
    onDone: (result, { command, seen }) => {
      underWay.current.delete(seen.selected);
      onEnd(seen);
      forget(seen.selected);
      report(command.what, result);
    },
    onFail: (error, sent) => {
      underWay.current.delete(sent.seen.selected);
      const [total, digest] = [totalIn(error), digestIn(error)];
      // If the user has moved on to another selection, an error is enough: nothing was changed.
      const isOther = now.current !== sent.seen.selected;
      if (total === undefined || digest === undefined || total === 0 || isOther) return showError(error);
      onEnd(sent.seen);
      setRefused({ ...sent, total, digest, digests: { ...sent.digests, ...valueDigestsIn(error) } });
    },
  });
  const send = (sent: SentCommand) => {
    if (underWay.current.has(sent.seen.selected)) return;
    underWay.current.add(sent.seen.selected);
    mutate(sent);
  };
  return {
    ...useSeenImages(datasetId, { shown, all }),
    send: (command: BulkCommand, seen: SeenImages) =>
      send({ command, which: seen.which, images: asSeen(seen), digests: seen.digests, seen }),
    /** Returns the pending command on these images. */
    pendingOf: (of: SeenImages | undefined) =>
      isPending && variables.seen.selected === of?.selected ? variables.command : undefined,
    refused: refused?.seen.selected === selected ? refused : undefined,
    sendAgain: ({ total, digest, seen, ...sent }: RefusedCommand) => {
      setRefused(undefined);
      const which = "filter" in sent.which ? { ...sent.which, total, digest } : sent.which;
      send({ ...sent, which, seen: { ...seen, count: total } });
    },
    giveUp: () => setRefused(undefined),
  };
}
