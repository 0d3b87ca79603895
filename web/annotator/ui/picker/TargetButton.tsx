import { Tooltip } from "@mantine/core";
import { useDocument, useEditor, useMode, useSelection } from "../../editor/context";
import { ariaKeys, withKeys } from "../../keyboard/shortcuts";
import annotator from "../common/Annotator.module.css";
import { useKeysOf } from "../common/useKeysOf";
import classes from "./LabelPicker.module.css";

/** Where the label picker opens below the button, in CSS pixels of the canvas. */
const BELOW = { x: 8, y: 40 };

/**
 * Shows the category of the selected annotation, or of new ones before the first stroke: the last one is still chosen
 * on the next image. A press opens the label picker.
 */
export function TargetButton() {
  const { commands, categories, document } = useEditor();
  const mode = useMode();
  const keys = useKeysOf()("label picker");
  const selected = useSelection((state) => state.annotation);
  useSelection((state) => state.category);
  useDocument((state) => state);
  const id = document.annotation(selected)?.category_id ?? null;
  const category = id === null ? commands.categoryForNew() : document.category(id);
  if (mode === "label" || !category) return null;
  const label = id === null ? `New annotations go to ${category.name}` : `Category: ${category.name}`;
  return (
    <Tooltip label={withKeys(`${label}. Change`, keys)} position="bottom-start" openDelay={300}>
      <button
        type="button"
        className={classes.target}
        aria-label={label}
        aria-keyshortcuts={ariaKeys(keys)}
        onMouseDown={(event) => event.preventDefault()}
        onClick={() => categories.open(categories.targets, BELOW)}
      >
        {id === null && <span className={annotator.dim}>New:</span>}
        <span className={annotator.swatch} style={{ background: category.color }} />
        <span className={annotator.name}>{category.name}</span>
      </button>
    </Tooltip>
  );
}
