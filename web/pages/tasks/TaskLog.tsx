import { t } from "@lingui/core/macro";
import { Loader } from "@mantine/core";
import { useVirtualizer } from "@tanstack/react-virtual";
import { useMemo, useRef } from "react";
import type { Task } from "../../../shared/entities/task";
import { LoadErrorLine } from "../../components/messages/LoadError";
import { serverText } from "../../languages/serverText";
import { shownOf } from "../../queries/queryState";
import { useTaskLogs } from "../../queries/tasks";
import { kindOf, type LogKind } from "./logKind";
import classes from "./TaskLog.module.css";

/** Estimated height of an unwrapped line, in pixels. Rendered lines are measured. */
const LINE_HEIGHT = 19;

interface Props {
  task: Task;
  /** Kind of lines to show; null shows all. */
  only: LogKind | null;
}

/** A task's log, newest first. Only visible lines are rendered, because a log may have thousands. */
export function TaskLog({ task, only }: Props) {
  const lines = useTaskLogs(task.id, !task.completed);
  if (lines.state === "failed") return <LoadErrorLine error={lines.error} onRetry={() => void lines.retry()} />;
  const shown = shownOf(lines);
  return shown ? <Lines name={serverText(task.name)} lines={shown.data} only={only} /> : <Loader size="xs" m="xs" />;
}

interface LinesProps extends Pick<Props, "only"> {
  /** Name of the task. */
  name: string;
  lines: readonly string[];
}

function Lines({ name, lines, only }: LinesProps) {
  const shown = useMemo(() => shownLines(lines, only), [lines, only]);
  const box = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({
    count: shown.length,
    getScrollElement: () => box.current,
    estimateSize: () => LINE_HEIGHT,
    getItemKey: (index) => shown[index]?.number ?? index,
    overscan: 20,
  });
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: makes the log scrollable by keyboard
    <section ref={box} className={classes.log} aria-label={t`Log of ${name}`} tabIndex={0}>
      {shown.length === 0 && t`No lines.`}
      <ol className={classes.lines} style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ index, key, start }) => (
          <li
            key={key}
            ref={virtualizer.measureElement}
            data-index={index}
            data-kind={shown[index]?.kind}
            className={classes.line}
            style={{ transform: `translateY(${start}px)` }}
          >
            {shown[index]?.text}
          </li>
        ))}
      </ol>
    </section>
  );
}

interface Line {
  text: string;
  number: number;
  kind: LogKind;
}

/** Adds "UTC" to the time at the start of a line, which the server writes without a time zone. */
const withZone = (line: string): string => line.replace(/^\[(\d\d-\d\d-\d{4} \d\d:\d\d:\d\d)\]/, "[$1 UTC]");

export function shownLines(lines: readonly string[], only: LogKind | null): Line[] {
  return lines
    .map((text, number) => ({ text: withZone(text), number, kind: kindOf(text) }))
    .filter(({ kind }) => only === null || kind === only)
    .reverse();
}
