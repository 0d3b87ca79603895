import type { SceneCategory } from "../../document/document";
import { useEditor, useSearch } from "../../editor/context";
import classes from "../common/Annotator.module.css";
import { SearchField } from "./SearchField";

/** Row with a search field for the annotations of an expanded category. */
export function AnnotationSearch({ category, top }: { category: SceneCategory; top: number }) {
  const { search } = useEditor();
  const text = useSearch((state) => state.annotations.get(category.id) ?? "");
  const label = `Search annotations of ${category.name}`;
  return (
    <div
      className={classes.searchRow}
      style={{ transform: `translateY(${top}px)` }}
      role="treeitem"
      aria-level={2}
      tabIndex={-1}
      aria-label={label}
    >
      <SearchField
        name={category.id}
        label={label}
        placeholder="Number, id or name"
        value={text}
        onChange={(value) => search.findAnnotations(category.id, value)}
      />
    </div>
  );
}
