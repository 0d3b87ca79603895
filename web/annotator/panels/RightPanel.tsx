import type { KeyboardEvent } from "react";
import classes from "../Annotator.module.css";
import { useEditor } from "../context";
import { FileTitle } from "./FileTitle";
import { ToolOptions } from "./ToolOptions";
import { Tree } from "./Tree";

/** File, categories with their annotations, options of the active tool. Escape leaves a field for the canvas. */
export function RightPanel() {
  const editor = useEditor();
  const handleKeyDown = ({ key, target, defaultPrevented }: KeyboardEvent) => {
    if (key === "Escape" && target instanceof HTMLInputElement && !defaultPrevented) editor.focus();
  };
  return (
    <aside className={classes.panel} aria-label="Annotations" onKeyDown={handleKeyDown}>
      <FileTitle />
      <Tree />
      <ToolOptions />
    </aside>
  );
}
