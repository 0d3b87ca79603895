import type { KeyboardEvent } from "react";
import classes from "../Annotator.module.css";
import { useEditor, useMode } from "../context";
import { FileTitle } from "./FileTitle";
import { LabelList } from "./LabelList";
import { ToolOptions } from "./ToolOptions";
import { Tree } from "./Tree";

/**
 * File, then categories with their annotations and the active tool's options, or label mode's check boxes. Escape
 * leaves a field for the canvas.
 */
export function RightPanel() {
  const editor = useEditor();
  const mode = useMode();
  const handleKeyDown = ({ key, target, defaultPrevented }: KeyboardEvent) => {
    if (key === "Escape" && target instanceof HTMLInputElement && !defaultPrevented) editor.focus();
  };
  return (
    <aside className={classes.panel} aria-label="Annotations" onKeyDown={handleKeyDown}>
      <FileTitle />
      {mode === "label" ? (
        <LabelList />
      ) : (
        <>
          <Tree />
          <ToolOptions />
        </>
      )}
    </aside>
  );
}
