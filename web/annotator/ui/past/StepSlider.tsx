import { t } from "@lingui/core/macro";
import { Slider, Text } from "@mantine/core";
import { type KeyboardEvent, useEffect, useRef } from "react";
import { AgoTime, agoText } from "../../../components/agoText";
import { utcText } from "../../../components/utcText";
import classes from "./History.module.css";
import { stepSummary } from "./stepText";
import type { Timeline } from "./useTimeline";

const STEPS: Record<string, 1 | -1> = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 };

/** Slider over all moments of the image. The arrow keys go from step to step. */
export function StepSlider({ timeline }: { timeline: Timeline }) {
  const { newest, chosen, step, choose, stepBy, moment } = timeline;
  const at = step?.at;
  const what = chosen === null ? t`Now` : step ? [step.user, stepSummary(step)].filter(Boolean).join(" · ") : "…";
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => frame.current?.querySelector<HTMLElement>("[role=slider]")?.focus(), []);
  const handleKeyDown = (event: KeyboardEvent) => {
    const by = STEPS[event.key];
    if (!by) return;
    event.preventDefault();
    event.stopPropagation();
    stepBy(by);
  };
  return (
    <div ref={frame} onKeyDownCapture={handleKeyDown}>
      <Slider
        size="sm"
        label={null}
        thumbLabel={t`Moment`}
        thumbProps={{ "aria-valuetext": at ? `${what} · ${agoText(at)}, ${utcText(at)}` : what }}
        min={1}
        max={Math.max(newest, 2)}
        value={chosen ?? newest}
        onChange={(value) => choose(value >= newest ? null : value)}
      />
      <Text
        size="xs"
        mt={4}
        className={classes.moment}
        aria-live="polite"
        data-loading={moment.isFetching || undefined}
      >
        {moment.state === "failed" ? t`This moment could not be loaded.` : what}
        {moment.state !== "failed" && at && (
          <>
            {" · "}
            <AgoTime iso={at} />
          </>
        )}
      </Text>
    </div>
  );
}
