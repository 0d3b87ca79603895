import { plural, t } from "@lingui/core/macro";
import { Progress as Bar, Button, Group, Text } from "@mantine/core";
import type { MouseEvent } from "react";
import { useStore } from "zustand";
import { DEXTR } from "../../../../shared/constants";
import type { DextrStatus } from "../../../io/dextr/dextr";
import { numberText } from "../../../languages/formats";
import type { DextrTool } from "./DextrTool";
import type { DextrProgress } from "./progress";

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
        <Group gap="xs" grow preventGrowOverflow={false} mt={6}>
          <Button size="compact-xs" variant="default" onMouseDown={keepFocus} onClick={() => machine.retry()}>
            {t`Try Again`}
          </Button>
          <Button size="compact-xs" variant="default" onMouseDown={keepFocus} onClick={() => machine.complete()}>
            {t`Accept Shape`}
          </Button>
        </Group>
      )}
    </div>
  );
}

function Loading({ loading: { received, total } }: { loading: NonNullable<DextrStatus["loading"]> }) {
  const share = total > 0 ? Math.min((100 * received) / total, 100) : 0;
  const text =
    share < 100
      ? t`First-time download: ${{ received: inMb(received) }} of ${{ total: inMb(total) }} MB`
      : t`Starting the DEXTR model…`;
  return (
    <div>
      <Text size="xs" c="dimmed" mt={4}>
        {text}
      </Text>
      <Bar size="sm" mt={2} value={share} aria-label={t`Loading the DEXTR model`} />
    </div>
  );
}

const inMb = (bytes: number): string =>
  numberText(bytes / 1_000_000, { minimumFractionDigits: 1, maximumFractionDigits: 1 });

function statusTextOf(progress: DextrProgress): string {
  const { state, points, isEmpty, isRefinement } = progress;
  if (state === "computing" || state === "closing") return t`Looking for the outline…`;
  if (state === "failed")
    return isRefinement ? t`The shape is as it was.` : t`Your clicks are kept. Enter accepts the shape shown.`;
  if (state === "refining")
    return isEmpty ? t`Nothing found at this threshold: lower it, or click on the border.` : foundTextOf(progress);
  const next = state === "placing" ? points : points + 1;
  return next > DEXTR.points
    ? t`Refining point ${{ number: next - DEXTR.points }}`
    : t`Next: point ${next} of ${{ points: DEXTR.points }}`;
}

const seconds = (ms: number): string => numberText(ms / 1000, { minimumFractionDigits: 1, maximumFractionDigits: 1 });

function foundTextOf({ points, corrections, took }: DextrProgress): string {
  const time = took !== null && (took < 1000 ? `${Math.round(took)} ms` : `${seconds(took)} s`);
  const found = time ? t`Found in ${time}` : t`Found`;
  const result =
    corrections === 0
      ? found
      : plural(corrections, { one: `${found}, # correction`, other: `${found}, # corrections` });
  const more = points - DEXTR.points;
  return t`${result}. Click outside to add, with Alt to take away, or inside on the true border (${more} of ${{ most: DEXTR.maxMore }}). Enter accepts, Escape goes back.`;
}
