import { t } from "@lingui/core/macro";
import { ChevronDown, ChevronRight, Eye, EyeOff, Plus, Settings2 } from "lucide-react";
import { type MouseEvent, memo } from "react";
import type { SceneCategory } from "../../document/document";
import { useDocument, useEditor, useLayers, useMayEdit, useSelection } from "../../editor/context";
import { showKeys } from "../../keyboard/shortcuts";
import classes from "../common/Annotator.module.css";
import { useKeysOf } from "../common/useKeysOf";
import { lineId } from "./lineId";
import { RowButton } from "./RowButton";

interface Props {
  category: SceneCategory;
  count: number;
  /** True if annotations are listed below the row. */
  isOpen: boolean;
  top: number;
}

/** Row of a category: its visibility, whether it is expanded, and its number of annotations. */
export const CategoryRow = memo(function CategoryRow({ category, count, isOpen, top }: Props) {
  const { layers, selection, selecting, creating, ui } = useEditor();
  const { id, name, color } = category;
  const mayEdit = useMayEdit();
  const isShown = useLayers(({ shown }) => shown.has(id));
  const isSelected = useSelection((state) => state.category === id && state.annotation === null);
  const handleSelect = () => {
    selection.selectCategory(id);
    if (count > 0) layers.expand(id, !isOpen);
  };
  const handleClick = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey) selecting.toggleCategory(id);
    else handleSelect();
  };
  return (
    <div
      className={classes.row}
      style={{ transform: `translateY(${top}px)` }}
      data-kind="category"
      id={lineId(id)}
      role="treeitem"
      aria-level={1}
      aria-label={`${name} (${count})`}
      aria-expanded={count > 0 ? isOpen : undefined}
      aria-selected={isSelected}
      tabIndex={-1}
      onClick={handleClick}
      onKeyDown={({ key }) => key === "Enter" && handleSelect()}
    >
      {count > 0 || isOpen ? (
        <RowButton
          isReachable={isSelected}
          label={isOpen ? t`Collapse ${name}` : t`Expand ${name}`}
          icon={isOpen ? ChevronDown : ChevronRight}
          onClick={() => layers.expand(id, !isOpen)}
        />
      ) : (
        <span className={classes.noButton} />
      )}
      <span className={classes.swatch} style={{ background: color }} />
      <span className={classes.name} title={name}>
        {name} {count > 0 && <span className={classes.dim}>({count})</span>}
      </span>
      <CategoryKey id={id} />
      <span className={classes.actions}>
        {mayEdit && (
          <RowButton
            isReachable={isSelected}
            label={t`New annotation of ${name}`}
            icon={Plus}
            onClick={() => creating.newAnnotation(id)}
          />
        )}
        {mayEdit && category.permissions.edit && (
          <RowButton
            isReachable={isSelected}
            label={t`Edit ${name}`}
            icon={Settings2}
            onClick={() => ui.open({ kind: "category", id })}
          />
        )}
      </span>
      {count > 0 ? (
        <RowButton
          isReachable={isSelected}
          label={isShown ? t`Hide ${name}` : t`Show ${name}`}
          icon={isShown ? Eye : EyeOff}
          onClick={() => layers.toggleCategory(id)}
        />
      ) : (
        <span className={classes.noButton} />
      )}
    </div>
  );
});

/** Key that selects the category; only the first ten have one. */
function CategoryKey({ id }: { id: number }) {
  const place = useDocument((state) => state.numbered.indexOf(id));
  const [keys] = useKeysOf()(`category ${place + 1}`);
  return keys ? <kbd className={classes.digit}>{showKeys(keys)}</kbd> : null;
}
