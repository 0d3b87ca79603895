import { useEffect, useMemo, useRef } from "react";
import { labelRows } from "../../document/labelMode";
import { useCurrentLabel, useDocument, useEditor, useSearch } from "../../editor/context";
import classes from "../common/Annotator.module.css";
import { CategorySearch } from "../tree/CategorySearch";
import { LabelLine } from "./LabelLine";
import { SaveLine } from "./SaveLine";

/** Label mode: each category is a check box that says whether the image as a whole has it. */
export function LabelList() {
  const { labels } = useEditor();
  const document = useDocument((state) => state);
  const search = useSearch((state) => state.categories);
  const current = useCurrentLabel();
  const rows = useMemo(() => labelRows(document, search), [document, search]);
  const list = useRef<HTMLFieldSetElement>(null);
  // One line is reached by Tab, the arrows do the rest.
  const reachable = rows.some(({ category }) => category.id === current) ? current : rows[0]?.category.id;
  useEffect(() => {
    const line = list.current?.querySelector<HTMLElement>(`[data-label="${current}"]`);
    line?.scrollIntoView({ block: "nearest" });
    if (list.current?.contains(window.document.activeElement)) line?.querySelector("input")?.focus();
  }, [current]);
  return (
    <>
      <div className={classes.treeHead}>
        <span className={classes.treeTitle}>Labels of this image</span>
        <span className={classes.dim}>
          <SaveLine />
        </span>
      </div>
      <CategorySearch />
      {document.categories.length === 0 && (
        <p className={classes.empty}>No categories have been enabled for this image.</p>
      )}
      {document.categories.length > 0 && rows.length === 0 && <p className={classes.empty}>No such category.</p>}
      <fieldset ref={list} className={classes.labels} aria-label="Labels of this image">
        {rows.map(({ category, number, count, ticked }) => (
          <LabelLine
            key={category.id}
            category={category}
            count={count}
            ticked={ticked}
            digit={number <= 10 ? number % 10 : null}
            isCurrent={category.id === current}
            isReachable={category.id === reachable}
            labels={labels}
          />
        ))}
      </fieldset>
    </>
  );
}
