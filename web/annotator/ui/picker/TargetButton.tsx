import { t } from "@lingui/core/macro";
import { Tooltip } from "@mantine/core";
import { useDocument, useEditor, useMayEdit, useMode, useSelection } from "../../editor/context";
import { ariaKeys, withKeys } from "../../keyboard/shortcuts";
import annotator from "../common/Annotator.module.css";
import { useKeysOf } from "../common/useKeysOf";
import classes from "./LabelPicker.module.css";

/** Position of the label picker below the button, in CSS pixels of the canvas. */
const BELOW = { x: 8, y: 40 };

/**
 * Shows the category of the selected annotations or, without a selection, of new ones: the last used category carries
 * over to the next image. A press opens the label picker. Nothing for users who may only look.
 */
export function TargetButton() {
  const { commands, categories, document } = useEditor();
  const mode = useMode();
  const mayEdit = useMayEdit();
  const keys = useKeysOf()("label picker");
  const selected = useSelection((state) => state.all);
  useSelection((state) => state.category);
  useDocument((state) => state);
  const ids = new Set([...selected].map((uuid) => document.annotation(uuid)?.category_id));
  const [only = null] = ids;
  const category = selected.size === 0 ? commands.categoryForNew() : document.category(ids.size === 1 ? only : null);
  if (!mayEdit || mode === "label" || (!category && selected.size < 2)) return null;
  const name = category?.name ?? t`Several categories`;
  const label = selected.size === 0 ? t`New annotations go to ${name}` : t`Category: ${name}`;
  return (
    <Tooltip label={withKeys(t`${label}. Change`, keys)} position="bottom-start" openDelay={300}>
      <button
        type="button"
        className={classes.target}
        data-tour="category"
        aria-label={label}
        aria-keyshortcuts={ariaKeys(keys)}
        onMouseDown={(event) => event.preventDefault()}
        onClick={() => categories.open(categories.targets, BELOW)}
      >
        {selected.size === 0 && <span className={annotator.dim}>{t`New:`}</span>}
        {category && <span className={annotator.swatch} style={{ background: category.color }} />}
        <span className={annotator.name}>{name}</span>
        {selected.size > 1 && <span className={annotator.dim}>× {selected.size}</span>}
      </button>
    </Tooltip>
  );
}
