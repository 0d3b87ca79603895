import { t } from "@lingui/core/macro";
import { ChevronDown, ChevronRight } from "lucide-react";
import { memo } from "react";
import { useEditor } from "../../editor/context";
import classes from "../common/Annotator.module.css";

interface Props {
  count: number;
  isOpen: boolean;
  top: number;
}

/** Heading above the categories without annotations on the image. A press shows or hides these categories. */
export const OthersRow = memo(function OthersRow({ count, isOpen, top }: Props) {
  const { layers } = useEditor();
  const Icon = isOpen ? ChevronDown : ChevronRight;
  return (
    <div role="none" className={classes.row} data-kind="others" style={{ transform: `translateY(${top}px)` }}>
      <button
        type="button"
        className={classes.others}
        aria-expanded={isOpen}
        onMouseDown={(event) => event.preventDefault()}
        onClick={() => layers.listOthers(!isOpen)}
      >
        <Icon size={14} />
        {t`Other categories`} <span className={classes.dim}>{count}</span>
      </button>
    </div>
  );
});
