import { ArrowBigUp } from "lucide-react";
import { useEffect, useState } from "react";
import { useEditor, useShiftOnScreen } from "../../editor/context";
import classes from "../common/Annotator.module.css";

/** Shift key for touch and pen: a toggle on the image, hidden once the mouse is used. */
export function ScreenShift() {
  const { ui } = useEditor();
  const isOn = useShiftOnScreen();
  const [isWanted, setWanted] = useState(() => matchMedia("(pointer: coarse)").matches);
  useEffect(() => {
    const look = ({ pointerType }: PointerEvent) => {
      setWanted(pointerType !== "mouse");
      if (pointerType === "mouse") ui.holdShift(false);
    };
    window.addEventListener("pointerdown", look, { capture: true });
    return () => window.removeEventListener("pointerdown", look, { capture: true });
  }, [ui]);
  if (!isWanted) return null;
  return (
    <button
      type="button"
      className={classes.shift}
      aria-pressed={isOn}
      title="Shift: delete points, subtract"
      onPointerDown={(event) => event.preventDefault()}
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => ui.holdShift(!isOn)}
    >
      <ArrowBigUp size={20} />
      Shift
    </button>
  );
}
