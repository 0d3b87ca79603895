import classes from "../Annotator.module.css";
import { FileTitle } from "./FileTitle";
import { ToolOptions } from "./ToolOptions";
import { Tree } from "./Tree";

/** File, categories with their annotations, options of the active tool. */
export function RightPanel() {
  return (
    <aside className={classes.panel} aria-label="Annotations">
      <FileTitle />
      <Tree />
      <ToolOptions />
    </aside>
  );
}
