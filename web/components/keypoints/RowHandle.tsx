import { t } from "@lingui/core/macro";
import { UnstyledButton } from "@mantine/core";
import { GripVertical } from "lucide-react";
import { type KeyboardEvent, useEffect, useEffectEvent, useRef } from "react";
import classes from "./KeypointEditor.module.css";

interface Props {
  /** 1-based place of the row. */
  number: number;
  label: string;
  isDragged: boolean;
  /** Moves the row by some places. */
  onMove: (by: number) => void;
  onDrag: (isDragged: boolean) => void;
}

/** Handle that moves a row: by dragging, or with the arrow keys up and down. Shows the row's number. */
export function RowHandle({ number, label, isDragged, onMove, onDrag }: Props) {
  const name = label || String(number);
  const handle = useRef<HTMLButtonElement>(null);
  const handleKey = (event: KeyboardEvent) => {
    const by = event.key === "ArrowUp" ? -1 : event.key === "ArrowDown" ? 1 : 0;
    if (!by) return;
    event.preventDefault();
    onMove(by);
  };
  const handleMove = useEffectEvent((event: PointerEvent) => {
    const row = handle.current?.closest("[data-keypoint-row]");
    const by = row ? stepTo(row, event.clientY) : 0;
    if (by) onMove(by);
  });
  const handleEnd = useEffectEvent(() => onDrag(false));
  // The page gets the events, because the handle loses a captured pointer when its row moves.
  useEffect(() => {
    if (!isDragged) return;
    const move = (event: PointerEvent) => handleMove(event);
    const end = () => handleEnd();
    window.addEventListener("pointermove", move);
    window.addEventListener("pointerup", end);
    window.addEventListener("pointercancel", end);
    return () => {
      window.removeEventListener("pointermove", move);
      window.removeEventListener("pointerup", end);
      window.removeEventListener("pointercancel", end);
    };
  }, [isDragged]);
  return (
    <UnstyledButton
      ref={handle}
      className={classes.handle}
      aria-label={t`Move keypoint ${name}`}
      aria-keyshortcuts="ArrowUp ArrowDown"
      title={t`Drag, or press the arrow keys, to change the order`}
      onKeyDown={handleKey}
      onPointerDown={() => onDrag(true)}
    >
      <GripVertical size={14} aria-hidden />
      {number}
    </UnstyledButton>
  );
}

/** Returns -1 or 1 if the pointer has passed the middle of the row above or below, else 0. */
function stepTo(row: Element, y: number): number {
  const middle = (element: Element | null) => {
    const box = element?.matches("[data-keypoint-row]") ? element.getBoundingClientRect() : undefined;
    return box && box.top + box.height / 2;
  };
  if (y < (middle(row.previousElementSibling) ?? Number.NEGATIVE_INFINITY)) return -1;
  return y > (middle(row.nextElementSibling) ?? Number.POSITIVE_INFINITY) ? 1 : 0;
}
