import { Progress as Bar, Button, Group, Text } from "@mantine/core";
import type { MouseEvent } from "react";
import { useStore } from "zustand";
import { DEXTR } from "../../../../shared/constants";
import type { DextrStatus } from "../../../io/dextr";
import type { DextrProgress, DextrTool } from "./DextrTool";

/** What comes next, what is going on, and what went wrong. */
export function Progress({ machine }: { machine: DextrTool }) {
  const progress = useStore(machine.store);
  const { loading, error } = useStore(machine.dextr.status);
  const { state } = progress;
  const keepFocus = (event: MouseEvent) => event.preventDefault();
  return (
    <div>
      <Text size="xs" role="status" fw={500}>
        {sayingOf(progress)}
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
            Take Shape Shown
          </Button>
        </Group>
      )}
    </div>
  );
}

function Loading({ loading: { received, total } }: { loading: NonNullable<DextrStatus["loading"]> }) {
  const share = total > 0 ? Math.min((100 * received) / total, 100) : 0;
  return (
    <div>
      <Text size="xs" c="dimmed" mt={4}>
        Loading the network, once: {inMb(received)} of {inMb(total)} MB
      </Text>
      <Bar size="sm" mt={2} value={share} aria-label="Loading the network" />
    </div>
  );
}

const inMb = (bytes: number): string => (bytes / 1_000_000).toFixed(1);

function sayingOf({ state, clicks, isEmpty, took }: DextrProgress): string {
  if (state === "computing" || state === "closing") return "Looking for the outline…";
  if (state === "failed") return "The clicks stay. Enter takes the shape that is shown.";
  if (state === "refining") {
    if (isEmpty) return "Nothing is found at this threshold: lower it, or click on the border.";
    const time = took === null ? "" : ` in ${took < 1000 ? `${Math.round(took)} ms` : `${(took / 1000).toFixed(1)} s`}`;
    return `Found${time}. Click on the true border to refine (${clicks - DEXTR.points} of ${DEXTR.maxMore}), Enter keeps, Escape takes back.`;
  }
  const next = state === "placing" ? clicks : clicks + 1;
  return next > DEXTR.points ? `Refining point ${next - DEXTR.points}` : `Next: point ${next} of ${DEXTR.points}`;
}
