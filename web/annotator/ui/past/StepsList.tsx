import { t } from "@lingui/core/macro";
import { Button, Loader, Text } from "@mantine/core";
import { type KeyboardEvent, useEffect, useRef } from "react";
import type { HistoryStep } from "../../../../shared/api/history";
import { colorOfName } from "../../../../shared/color/palettes";
import { AgoTime } from "../../../components/agoText";
import { LoadErrorLine } from "../../../components/messages/LoadError";
import classes from "./History.module.css";
import { stepSummary } from "./stepText";
import type { Timeline } from "./useTimeline";

const idOf = (revision: number): string => `history-step-${revision}`;

/** List of steps, newest first. The arrow keys go from step to step. */
export function StepsList({ timeline }: { timeline: Timeline }) {
  const { page, steps, top, setTop, step, newest, choose, stepBy, older } = timeline;
  const list = useRef<HTMLDivElement>(null);
  const active = step?.to ?? (top === null ? steps[0]?.to : undefined);
  useEffect(() => {
    if (active) list.current?.querySelector(`#${idOf(active)}`)?.scrollIntoView({ block: "nearest" });
  }, [active]);
  if (page.state === "failed") return <LoadErrorLine error={page.error} onRetry={page.retry} />;
  if (page.state === "loading" && !page.previous) return <Loader size="sm" aria-label={t`Loading…`} />;
  const handleKeyDown = (event: KeyboardEvent) => {
    const by = event.key === "ArrowUp" ? 1 : event.key === "ArrowDown" ? -1 : null;
    if (!by) return;
    event.preventDefault();
    event.stopPropagation();
    stepBy(by);
  };
  // The image after the newest step is the image now.
  const chooseStep = ({ to }: HistoryStep) => choose(to >= newest ? null : to);
  if (steps.length === 0)
    return (
      <Text size="xs" c="dimmed">
        {t`No changes yet.`}
      </Text>
    );
  return (
    <>
      {top !== null && (
        <Button size="compact-xs" variant="subtle" onClick={() => setTop(top + 200 > newest ? null : top + 200)}>
          {t`Newer changes`}
        </Button>
      )}
      <div
        ref={list}
        className={classes.list}
        role="listbox"
        tabIndex={0}
        aria-label={t`Changes, newest first`}
        aria-activedescendant={active ? idOf(active) : undefined}
        onKeyDown={handleKeyDown}
      >
        {steps.map((each) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the list handles keys
          // biome-ignore lint/a11y/useFocusableInteractive: the list has the focus, see aria-activedescendant
          <div
            key={each.to}
            id={idOf(each.to)}
            className={classes.step}
            role="option"
            aria-selected={each.to === active}
            onClick={() => chooseStep(each)}
          >
            <span className={classes.dot} style={{ background: each.user ? colorOfName(each.user) : "#868e96" }} />
            <span className={classes.what}>
              <strong>{each.user || (each.kind === "bulk" ? t`In bulk` : t`Unknown user`)}</strong> {stepSummary(each)}
            </span>
            {each.at && (
              <span className={classes.when}>
                <AgoTime iso={each.at} />
              </span>
            )}
          </div>
        ))}
      </div>
      {older === null ? (
        <Text size="xs" c="dimmed">
          {t`These are all recorded changes. The server may delete old records.`}
        </Text>
      ) : (
        <Button size="compact-xs" variant="subtle" onClick={() => setTop(older)}>
          {t`Older changes`}
        </Button>
      )}
    </>
  );
}
