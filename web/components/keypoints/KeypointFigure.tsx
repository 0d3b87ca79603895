import { t } from "@lingui/core/macro";
import { textColorOn } from "../../../shared/color/contrast";
import { isColor } from "../../../shared/color/hex";
import { figureLayout, type Place } from "./figureLayout";
import classes from "./KeypointEditor.module.css";
import { type KeypointRow, namedRows } from "./keypointRows";

const WIDTH = 240;
const HEIGHT = 260;
const MARGIN = 14;
const RADIUS = 8;

interface Props {
  rows: readonly KeypointRow[];
  /** Key of the row to emphasize. */
  active: number | undefined;
}

/** The skeleton as it will be drawn: labels as numbered points in their colours, and the edges between them. */
export function KeypointFigure({ rows, active }: Props) {
  const named = namedRows(rows);
  if (named.length < 2) return null;
  const places = figureLayout(named);
  const at = (key: number) => places.get(key) && onCanvas(places.get(key)!);
  const edges = named.flatMap((row) => row.edges.filter((other) => other > row.key).map((other) => [row.key, other]));
  const [labelCount, edgeCount] = [named.length, edges.length];
  return (
    <svg
      className={classes.figure}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      role="img"
      aria-label={t`Skeleton with ${labelCount} labels and ${edgeCount} edges`}
    >
      {edges.map(([from = 0, to = 0]) => {
        const [a, b] = [at(from), at(to)];
        if (!a || !b) return null;
        const isActive = from === active || to === active;
        return (
          <line
            key={`${from} ${to}`}
            className={classes.edge}
            data-active={isActive || undefined}
            {...{ x1: a[0], y1: a[1], x2: b[0], y2: b[1] }}
          />
        );
      })}
      {named.map((row) => {
        const [x, y] = at(row.key) ?? [0, 0];
        return (
          <g key={row.key} className={classes.point} data-active={row.key === active || undefined}>
            <title>{row.label}</title>
            <circle cx={x} cy={y} r={RADIUS} fill={row.color} />
            <text x={x} y={y} fill={textOn(row.color)}>
              {rows.indexOf(row) + 1}
            </text>
          </g>
        );
      })}
    </svg>
  );
}

const textOn = (color: string): string => (isColor(color) ? textColorOn(color) : "#000");

const onCanvas = ([x, y]: Place): Place => [MARGIN + x * (WIDTH - 2 * MARGIN), MARGIN + y * (HEIGHT - 2 * MARGIN)];
