import { useLayoutEffect, useRef, useState } from "react";
import { showError } from "../../../components/messages/toast";
import { type BulkCommand, type SeenImage, totalIn, useBulkCommand, type WhichImages } from "../../../queries/bulk";
import { useBulkReport } from "./useBulkReport";
import type { SeenImages, SelectedImages } from "./useSelectedImages";

interface SentCommand {
  command: BulkCommand;
  which: WhichImages;
  images: ReadonlyMap<number, SeenImage>;
  seen: SeenImages;
}

/** A command that changed nothing, because a different number of images matches now. */
export interface RefusedCommand extends SentCommand {
  /** The number of images that match now. */
  total: number;
}

/**
 * Sends bulk commands on a selection. Results are shown even if the user has moved on; they clear only the selection
 * and close only the dialog that they belong to. `refused` is a command that the user has to confirm again.
 */
export function useBulkCommands(
  datasetId: number,
  { selected, forget, asSeen }: SelectedImages,
  onEnd: (of: SeenImages) => void,
) {
  const report = useBulkReport(datasetId);
  const [refused, setRefused] = useState<RefusedCommand>();
  const now = useRef<SelectedImages["selected"]>(undefined);
  useLayoutEffect(() => {
    now.current = selected;
    return () => {
      now.current = undefined;
    };
  }, [selected]);
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
      const total = totalIn(error);
      // If the user has moved on to another selection, an error is enough: nothing was changed.
      if (total === undefined || total === 0 || now.current !== sent.seen.selected) return showError(error);
      onEnd(sent.seen);
      setRefused({ ...sent, total });
    },
  });
  const send = (sent: SentCommand) => {
    if (underWay.current.has(sent.seen.selected)) return;
    underWay.current.add(sent.seen.selected);
    mutate(sent);
  };
  return {
    send: (command: BulkCommand, seen: SeenImages) => send({ command, which: seen.which, images: asSeen(seen), seen }),
    /** Returns the pending command on these images. */
    pendingOf: (of: SeenImages | undefined) =>
      isPending && variables.seen.selected === of?.selected ? variables.command : undefined,
    refused: refused?.seen.selected === selected ? refused : undefined,
    sendAgain: ({ total, ...sent }: RefusedCommand) => {
      setRefused(undefined);
      send({ ...sent, which: "filter" in sent.which ? { ...sent.which, total } : sent.which });
    },
    giveUp: () => setRefused(undefined),
  };
}
