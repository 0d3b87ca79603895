import { t } from "@lingui/core/macro";
import { NumberInput, SimpleGrid } from "@mantine/core";
import type { KeyboardEvent } from "react";
import { boxRing } from "../../../../shared/coco/measure";
import type { Annotation } from "../../../../shared/entities/annotation";
import type { Ring } from "../../../../shared/entities/shape";
import { rotatedBoxOf, unrotated } from "../../../../shared/geometry/forms/rotatedBox";
import { isRectangle, ringsBounds } from "../../../../shared/geometry/polygons";
import { useTypedText } from "../../../components/forms/useTypedText";
import { isBoxOnly } from "../../document/outlines";
import { useDocument, useEditor, useSelection } from "../../editor/context";
import classes from "../common/Annotator.module.css";
import { withBoxValue, withRotatedValue } from "./boxValue";

const labels = () => ["X", "Y", t`Width`, t`Height`, t`Angle`] as const;
const actions = () => [t`Move`, t`Move`, t`Resize`, t`Resize`, t`Rotate`] as const;

/**
 * Fields for position, size and rotation of the selected box, in image pixels and degrees. Empty unless a single box is
 * selected.
 */
export function BoxFields() {
  const uuid = useSelection((state) => (state.all.size > 1 ? null : state.annotation));
  const annotation = useDocument((state) => (uuid === null ? undefined : state.annotations.get(uuid)));
  const ring = annotation && cornersOf(annotation);
  return ring ? <Fields key={annotation.uuid} annotation={annotation} ring={ring} /> : null;
}

/** Returns the corners of an annotation that is a box, upright or rotated; null for other shapes. */
function cornersOf(annotation: Annotation): Ring | null {
  const { rings, isbbox } = annotation;
  if (isBoxOnly(annotation)) return boxRing(annotation.bbox);
  if (isbbox && rings?.length === 1) return boxRing(ringsBounds(rings));
  return rings && rotatedBoxOf(rings);
}

function Fields({ annotation, ring }: { annotation: Annotation; ring: Ring }) {
  const { commands } = useEditor();
  const { width, height } = useDocument((state) => state.image);
  const isUpright = isRectangle([[ring]]);
  const bounds = ringsBounds([[ring]]);
  const { box, degrees } = isUpright ? { box: bounds, degrees: 0 } : unrotated(ring);
  const change = (at: number, value: number) => {
    const isWithin = isUpright && at < 4;
    const next = isWithin
      ? boxRing(withBoxValue(bounds, at, value, { width, height }))
      : withRotatedValue(ring, at, value);
    commands.reshape(annotation.uuid, [[next]], isRectangle([[next]]), actions()[at]!);
  };
  return (
    <SimpleGrid cols={5} spacing={4} className={classes.box} role="group" aria-label={t`Box in pixels`}>
      {labels().map((label, at) => (
        <BoxField key={label} label={label} value={[...box, degrees][at]!} onCommit={(value) => change(at, value)} />
      ))}
    </SimpleGrid>
  );
}

interface BoxFieldProps {
  label: string;
  value: number;
  onCommit: (value: number) => void;
}

/** Number field that takes effect on Enter, on an arrow key, and when it loses the focus. Escape restores the value. */
function BoxField({ label, value, onCommit }: BoxFieldProps) {
  const shown = Math.round(value * 100) / 100;
  const commit = (typed: string) => {
    const next = numberOf(typed);
    if (next !== null && next !== shown) onCommit(next);
  };
  const { text, type, reset, onFocus, onBlur, onKeyDown } = useTypedText(String(shown), commit);
  const handleKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    onKeyDown(event);
    const by = event.key === "ArrowUp" ? 1 : event.key === "ArrowDown" ? -1 : 0;
    if (by === 0) return;
    event.preventDefault();
    reset();
    onCommit((numberOf(text) ?? shown) + by * (event.shiftKey ? 10 : 1));
  };
  return (
    <NumberInput
      size="xs"
      label={label}
      hideControls
      decimalScale={2}
      value={text}
      onChange={(next) => type(String(next))}
      onFocus={onFocus}
      onBlur={onBlur}
      onKeyDown={handleKeyDown}
    />
  );
}

const numberOf = (text: string): number | null =>
  text.trim() !== "" && Number.isFinite(Number(text)) ? Number(text) : null;
