import { NumberInput, SimpleGrid } from "@mantine/core";
import { useEffect, useState } from "react";
import { boxRing } from "../../../../shared/coco/measure";
import type { Annotation } from "../../../../shared/entities/annotation";
import type { Bbox } from "../../../../shared/entities/shape";
import { ringsBounds } from "../../../../shared/geometry/polygons";
import { isBoxOnly } from "../../document/outlines";
import { useDocument, useEditor, useSelection } from "../../editor/context";
import classes from "../common/Annotator.module.css";
import { withBoxValue } from "./boxValue";

const LABELS = ["X", "Y", "Width", "Height"] as const;

/** Fields for position and size of the selected box, in image pixels. Shown only if a box is selected. */
export function BoxFields() {
  const uuid = useSelection((state) => state.annotation);
  const annotation = useDocument((state) => (uuid === null ? undefined : state.annotations.get(uuid)));
  const bounds = annotation && boundsOf(annotation);
  return bounds ? <Fields key={annotation.uuid} annotation={annotation} bounds={bounds} /> : null;
}

/** Returns the box of an annotation that is a box; null for other shapes. */
function boundsOf(annotation: Annotation): Bbox | null {
  if (isBoxOnly(annotation)) return annotation.bbox;
  return annotation.isbbox && annotation.rings?.length === 1 ? ringsBounds(annotation.rings) : null;
}

function Fields({ annotation, bounds }: { annotation: Annotation; bounds: Bbox }) {
  const { commands } = useEditor();
  const { width, height } = useDocument((state) => state.image);
  const change = (at: number, value: number) => {
    const next = withBoxValue(bounds, at, value, { width, height });
    commands.reshape(annotation.uuid, [[boxRing(next)]], true, at < 2 ? "Move" : "Resize");
  };
  return (
    <SimpleGrid cols={4} spacing={6} className={classes.box} role="group" aria-label="Box in pixels">
      {LABELS.map((label, at) => (
        <BoxField key={label} label={label} value={bounds[at]!} onCommit={(value) => change(at, value)} />
      ))}
    </SimpleGrid>
  );
}

interface BoxFieldProps {
  label: string;
  value: number;
  onCommit: (value: number) => void;
}

/** Number field that takes effect on Enter, on an arrow key, and when it loses the focus. */
function BoxField({ label, value, onCommit }: BoxFieldProps) {
  const shown = Math.round(value * 100) / 100;
  const [text, setText] = useState<number | string>(shown);
  useEffect(() => setText(shown), [shown]);
  const commit = (next: number | string) => {
    if (typeof next === "number" && next !== shown) onCommit(next);
    else setText(shown);
  };
  return (
    <NumberInput
      size="xs"
      label={label}
      hideControls
      decimalScale={2}
      value={text}
      onChange={setText}
      onBlur={() => commit(text)}
      onKeyDown={(event) => {
        const by = event.key === "ArrowUp" ? 1 : event.key === "ArrowDown" ? -1 : 0;
        if (event.key === "Enter") commit(text);
        if (by === 0) return;
        event.preventDefault();
        commit((typeof text === "number" ? text : shown) + by * (event.shiftKey ? 10 : 1));
      }}
    />
  );
}
