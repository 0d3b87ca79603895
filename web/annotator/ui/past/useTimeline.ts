import { useDebouncedValue } from "@mantine/hooks";
import { useCallback, useEffect, useState } from "react";
import type { HistoryStep } from "../../../../shared/api/history";
import { useHistorySteps, useMoment } from "../../../queries/history";
import { shownOf } from "../../../queries/queryState";
import { useDocument, useEditor } from "../../editor/context";

/** Number of revisions above a revision from which a page of steps is loaded, so that the page contains it. */
const ABOVE = 100;
/** Time for which a moment must be chosen before it is loaded, in milliseconds. */
const PAUSE_MS = 100;

export type Timeline = ReturnType<typeof useTimeline>;

/**
 * The image's steps and the chosen moment. The list has a page of steps around the chosen one; the slider has all
 * revisions.
 */
export function useTimeline() {
  const { past, document } = useEditor();
  const imageId = document.state.image.id;
  const revision = useDocument((state) => state.image.revision);
  /** Revision of the chosen moment; null for now. */
  const [chosen, setChosen] = useState<number | null>(null);
  /** Revision before which the page of steps begins; null for the newest steps. */
  const [top, setTop] = useState<number | null>(null);
  const page = useHistorySteps(imageId, revision, top);
  const shown = shownOf(page);
  const steps = shown?.data.steps ?? NO_STEPS;
  const newest = Math.max(revision, shown?.data.revision ?? 0);
  const step = chosen === null ? undefined : steps.find(({ from, to }) => from <= chosen && chosen <= to);
  const isPlaced = chosen === null || step !== undefined;
  const isLoaded = page.state === "loaded";
  useEffect(() => {
    if (!isLoaded || isPlaced || chosen === null) return;
    setTop(chosen + ABOVE >= newest ? null : chosen + ABOVE);
  }, [isLoaded, isPlaced, chosen, newest]);

  const wanted = step?.to ?? chosen;
  const [at] = useDebouncedValue(wanted, PAUSE_MS);
  const moment = useMoment(imageId, at, revision);
  const data = shownOf(moment)?.data ?? null;
  // The previous moment stays on the canvas while the next one loads, but must not be put back.
  const isReady = moment.state === "loaded" && moment.data.revision === wanted;
  useEffect(() => past.show(wanted === null ? null : data), [past, wanted, data]);

  const choose = useCallback(
    (next: number | null) => setChosen(next === null || next > newest ? null : Math.max(next, 1)),
    [newest],
  );
  const stepBy = useCallback(
    (by: 1 | -1) => {
      if (chosen === null) {
        // The newest step is the present, so the first step back shows the one before it.
        const first = steps[0];
        if (by === -1 && top === null && first) choose(first.from - 1);
        return;
      }
      if (by === -1) choose((step?.from ?? chosen) - 1);
      else if ((step?.to ?? chosen) + 1 > (top === null ? (steps[1]?.to ?? 0) : newest)) choose(null);
      else choose((step?.to ?? chosen) + 1);
    },
    [chosen, choose, step, steps, top, newest],
  );
  const older = shown?.data.older ?? null;
  return { page, steps, top, setTop, newest, chosen, step, choose, stepBy, moment, isReady, older };
}

const NO_STEPS: readonly HistoryStep[] = [];
