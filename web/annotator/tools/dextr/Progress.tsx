import { Progress as Bar, Button, Group, Text } from "@mantine/core";
import type { MouseEvent } from "react";
import { useStore } from "zustand";
import { DEXTR } from "../../../../shared/constants";
import type { DextrStatus } from "../../../io/dextr/dextr";
import type { DextrTool } from "./DextrTool";
import { type DextrProgress, NOTHING_FOUND } from "./progress";

/** Minimum height in pixels: fits the longest usual text, so that the fields below do not move. */
const ROOM = 74;

/** The next step, the loading progress, and the last failure. */
export function Progress({ machine }: { machine: DextrTool }) {
  const progress = useStore(machine.store);
  const { loading, error } = useStore(machine.dextr.status);
  const { state } = progress;
  const keepFocus = (event: MouseEvent) => event.preventDefault();
  return (
    <div style={{ minHeight: ROOM }}>
      <Text size="xs" role="status">
        {statusTextOf(progress)}
      </Text>
      {loading && <Loading loading={loading} />}
      {(progress.error || error) && (
        <Text size="xs" mt={4} c="var(--mantine-color-error)">
          {progress.error || error}
        </Text>
      )}
      {state === "failed" && (
        <Group gap="xs" grow mt={6}>
          <Button size="compact-xs" variant="default" onMouseDown={keepFocus} onClick={() => machine.retry()}>
            Try Again
          </Button>
          <Button size="compact-xs" variant="default" onMouseDown={keepFocus} onClick={() => machine.complete()}>
            Accept Shape
          </Button>
        </Group>
      )}
    </div>
  );
}

function Loading({ loading: { received, total } }: { loading: NonNullable<DextrStatus["loading"]> }) {
  const share = total > 0 ? Math.min((100 * received) / total, 100) : 0;
  const text =
    share < 100 ? `First-time download: ${inMb(received)} of ${inMb(total)} MB` : "Starting the DEXTR model…";
  return (
    <div>
      <Text size="xs" c="dimmed" mt={4}>
        {text}
      </Text>
      <Bar size="sm" mt={2} value={share} aria-label="Loading the DEXTR model" />
    </div>
  );
}

const inMb = (bytes: number): string => (bytes / 1_000_000).toFixed(1);

function statusTextOf(progress: DextrProgress): string {
  const { state, points, isEmpty, isRefinement } = progress;
  if (state === "computing" || state === "closing") return "Looking for the outline…";
  if (state === "failed")
    return isRefinement ? "The shape is as it was." : "Your clicks are kept. Enter accepts the shape shown.";
  if (state === "refining")
    return isEmpty ? `${NOTHING_FOUND}: lower it, or click on the border.` : foundTextOf(progress);
  const next = state === "placing" ? points : points + 1;
  return next > DEXTR.points ? `Refining point ${next - DEXTR.points}` : `Next: point ${next} of ${DEXTR.points}`;
}

function foundTextOf({ points, corrections, took }: DextrProgress): string {
  const time = took === null ? "" : ` in ${took < 1000 ? `${Math.round(took)} ms` : `${(took / 1000).toFixed(1)} s`}`;
  const corrected = corrections > 0 ? `, ${corrections} ${corrections === 1 ? "correction" : "corrections"}` : "";
  return `Found${time}${corrected}. Click outside to add, with Alt to take away, or inside on the true border (${points - DEXTR.points} of ${DEXTR.maxMore}). Enter accepts, Escape goes back.`;
}
