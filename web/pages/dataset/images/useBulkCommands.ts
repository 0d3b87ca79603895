import { useEffect, useRef, useState } from "react";
import { showError } from "../../../components/messages/toast";
import { RequestError } from "../../../io/http/request";
import { type BulkCommand, useBulkCommand, type WhichImages } from "../../../queries/bulk";
import { useBulkReport } from "./useBulkReport";
import type { SeenImages, SelectedImages } from "./useSelectedImages";

interface Asked {
  command: BulkCommand;
  which: WhichImages;
  seen: SeenImages;
}

/** A command that changed nothing, because a different number of images matches now. */
export interface RefusedCommand extends Asked {
  /** The number of images that match now. */
  total: number;
}

/**
 * Sends bulk commands on a selection. Results are shown even if the user has moved on; they clear only the selection
 * and close only the dialog that they belong to. `refused` is a command that the user has to confirm again.
 */
export function useBulkCommands(
  datasetId: number,
  { selected, forget }: SelectedImages,
  onEnd: (of: SeenImages) => void,
) {
  const report = useBulkReport(datasetId);
  const [refused, setRefused] = useState<RefusedCommand>();
  const now = useRef<SelectedImages["selected"]>(undefined);
  useEffect(() => {
    now.current = selected;
    return () => {
      now.current = undefined;
    };
  }, [selected]);
  /** Selections with a pending command. A ref, because a second click may arrive before `isPending` is rendered. */
  const underWay = useRef(new Set<object>());
  const { mutate, isPending, variables } = useBulkCommand<Asked>(datasetId, {
    onDone: (result, { command, seen }) => {
      underWay.current.delete(seen.selected);
      onEnd(seen);
      forget(seen.selected);
      report(command.what, result);
    },
    onFail: (error, asked) => {
      underWay.current.delete(asked.seen.selected);
      const total = totalIn(error);
      // If the user has moved on to another selection, an error is enough: nothing was changed.
      if (total === undefined || total === 0 || now.current !== asked.seen.selected) return showError(error);
      onEnd(asked.seen);
      setRefused({ ...asked, total });
    },
  });
  const send = (asked: Asked) => {
    if (underWay.current.has(asked.seen.selected)) return;
    underWay.current.add(asked.seen.selected);
    mutate(asked);
  };
  return {
    send: (command: BulkCommand, seen: SeenImages) => send({ command, which: seen.which, seen }),
    /** Returns the pending command on these images. */
    pendingOf: (of: SeenImages | undefined) =>
      isPending && variables.seen.selected === of?.selected ? variables.command : undefined,
    refused: refused?.seen.selected === selected ? refused : undefined,
    sendAgain: ({ total, ...asked }: RefusedCommand) => {
      setRefused(undefined);
      send({ ...asked, which: "filter" in asked.which ? { ...asked.which, total } : asked.which });
    },
    giveUp: () => setRefused(undefined),
  };
}

const totalIn = (error: Error) =>
  error instanceof RequestError && error.code === "total_changed" ? error.facts.total : undefined;
