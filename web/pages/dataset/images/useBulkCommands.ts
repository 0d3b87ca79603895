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

/** A command of which nothing was done, since another number of images fits by now. */
export interface RefusedCommand extends Asked {
  /** The number that fits. */
  total: number;
}

/**
 * Sends bulk commands of a selection. Their answers are told wherever the user is by then; they change the selection and
 * the dialogs that they belong to, and no others. `refused` is to be asked again with its number.
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
  /** Selections with a command on its way: a second click comes before `isPending` is rendered. */
  const underWay = useRef(new Set<object>());
  const { mutate, isPending, variables } = useBulkCommand<Asked>(datasetId, {
    onDone: (answer, { command, seen }) => {
      underWay.current.delete(seen.selected);
      onEnd(seen);
      forget(seen.selected);
      report(command.what, answer);
    },
    onFail: (error, asked) => {
      underWay.current.delete(asked.seen.selected);
      const total = totalIn(error);
      // Whoever has gone on to something else is told alone: nothing was changed.
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
    /** The command to these images that is on its way. */
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
