import { t } from "@lingui/core/macro";
import { useEffect, useMemo } from "react";
import { useStore } from "zustand";
import type { HistoryStep } from "../../../../shared/api/history";
import { useEditor, usePast } from "../../editor/context";
import classes from "./History.module.css";
import { pathOf } from "./paths";

/** The shown moment, painted over the image in place of the present shapes. What the step has changed is marked. */
export function MomentView({ step }: { step: HistoryStep | undefined }) {
  const editor = useEditor();
  const isShown = usePast(({ moment }) => moment !== null);
  useEffect(() => {
    if (isShown) editor.toolbox.conclude();
    editor.hideShapes(isShown);
  }, [editor, isShown]);
  return isShown ? <Shapes step={step} /> : null;
}

function Shapes({ step }: { step: HistoryStep | undefined }) {
  const { view, past, layers } = useEditor();
  const { zoom, x, y } = useStore(view.store);
  const moment = usePast((state) => state.moment);
  const traced = usePast((state) => state.traced);
  const chosen = usePast((state) => state.chosen);
  const paths = useMemo(() => {
    const changed = new Set(step?.annotations);
    const groups = new Map<string, { color: string; kind: string; d: string[] }>();
    for (const annotation of traced && moment ? moment.annotations : []) {
      const color = layers.colorOf(annotation);
      const kind = annotation.uuid === chosen ? "chosen" : changed.has(annotation.uuid) ? "changed" : "same";
      const group = groups.get(kind + color) ?? { color, kind, d: [] };
      group.d.push(pathOf(annotation, past.ringsOf(annotation)));
      groups.set(kind + color, group);
    }
    return [...groups].sort(([, a], [, b]) => ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind));
  }, [moment, traced, chosen, step, layers, past]);
  return (
    <svg className={classes.canvas} role="img" aria-label={t`The image at the chosen moment`}>
      <g transform={`translate(${x} ${y}) scale(${zoom})`}>
        {paths.map(([key, { color, kind, d }]) => (
          <g key={key} className={classes[kind]}>
            {kind !== "same" && <path className={classes.casing} d={d.join("")} vectorEffect="non-scaling-stroke" />}
            <path
              className={classes.shape}
              d={d.join("")}
              fill={color}
              stroke={color}
              vectorEffect="non-scaling-stroke"
            />
          </g>
        ))}
      </g>
    </svg>
  );
}

/** Painted in this order, so that the marked shapes are above the others. */
const ORDER = ["same", "changed", "chosen"];
