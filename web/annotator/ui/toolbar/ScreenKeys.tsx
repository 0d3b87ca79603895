import { t } from "@lingui/core/macro";
import { ArrowBigUp, Scissors } from "lucide-react";
import { useEffect, useState } from "react";
import { useEditor, useHeldOnScreen } from "../../editor/context";
import classes from "../common/Annotator.module.css";

/** The keys, with their effects for touch and pen. */
const keys = () =>
  [
    { key: "shift", label: t`Shift`, title: t`Shift: add to the shape, delete points, subtract`, Icon: ArrowBigUp },
    { key: "alt", label: t`Cut`, title: t`Alt: cut out of the shape`, Icon: Scissors },
  ] as const;

/** Shift and Alt for touch and pen: toggles on the image, hidden once the mouse is used. */
export function ScreenKeys() {
  const { ui } = useEditor();
  const held = useHeldOnScreen();
  const [isWanted, setWanted] = useState(() => matchMedia("(pointer: coarse)").matches);
  useEffect(() => {
    const look = ({ pointerType }: PointerEvent) => {
      setWanted(pointerType !== "mouse");
      if (pointerType === "mouse") ui.hold({ shift: false, alt: false });
    };
    window.addEventListener("pointerdown", look, { capture: true });
    return () => window.removeEventListener("pointerdown", look, { capture: true });
  }, [ui]);
  if (!isWanted) return null;
  return (
    <div className={classes.screenKeys}>
      {keys().map(({ key, label, title, Icon }) => (
        <button
          key={key}
          type="button"
          className={classes.shift}
          aria-pressed={held[key]}
          title={title}
          onPointerDown={(event) => event.preventDefault()}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => ui.hold({ shift: false, alt: false, [key]: !held[key] })}
        >
          <Icon size={20} />
          {label}
        </button>
      ))}
    </div>
  );
}
