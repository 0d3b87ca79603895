import { t } from "@lingui/core/macro";
import type { AnnotatorFigures } from "../../../../shared/api/datasets/consensus";
import { figureText } from "../../../components/figureText";
import { dateLocale, numberText } from "../../../languages/formats";
import classes from "./Consensus.module.css";
import { FigureTable } from "./FigureTable";

/** Figures of each annotator: agreement with the others, by day too, and the score against the known truth. */
export function AnnotatorTable({ annotators }: { annotators: readonly AnnotatorFigures[] }) {
  return (
    <FigureTable
      columns={[
        t`Annotator`,
        t`Done`,
        t`F1 with others`,
        t`Overlap`,
        t`F1 by day`,
        t`F1 with known truth`,
        t`Precision`,
        t`Recall`,
      ]}
      rows={annotators.map(({ id, username, given, finished, agreement, days, score }) => ({
        key: id,
        cells: [
          <bdi key="name">{username}</bdi>,
          doneText(finished, given),
          figureText(agreement.f1),
          figureText(agreement.overlap),
          <Days key="days" username={username} days={days} />,
          figureText(score?.f1 ?? null),
          figureText(score?.precision ?? null),
          figureText(score?.recall ?? null),
        ],
      }))}
    />
  );
}

function doneText(finished: number, given: number): string {
  const [done, all] = [numberText(finished), numberText(given)];
  return t`${done} of ${all}`;
}

/** Largest number of days in the chart. */
const SHOWN_DAYS = 30;

/** Agreement of an annotator on the last days of work, one column each. */
function Days({ username, days }: Pick<AnnotatorFigures, "username" | "days">) {
  const shown = days.slice(-SHOWN_DAYS);
  const text = shown.map(({ day, f1 }) => `${dayText(day)}: ${figureText(f1)}`).join(", ");
  if (shown.length === 0) return "–";
  return (
    <span className={classes.days} role="img" aria-label={`${username}: ${text}`}>
      {shown.map(({ day, f1 }) => (
        <span key={day} title={`${dayText(day)}: ${figureText(f1)}`}>
          <span style={{ height: `${100 * (f1 ?? 0)}%` }} />
        </span>
      ))}
    </span>
  );
}

const dayText = (day: string): string => new Date(`${day}T12:00:00`).toLocaleDateString(dateLocale());
