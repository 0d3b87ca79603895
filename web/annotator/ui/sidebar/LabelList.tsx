import { t } from "@lingui/core/macro";
import { useEffect, useMemo, useRef } from "react";
import { labelRows } from "../../document/labelMode";
import { useCurrentLabel, useDocument, useEditor, useSearch } from "../../editor/context";
import classes from "../common/Annotator.module.css";
import { TreeSearch } from "../tree/TreeSearch";
import { LabelLine } from "./LabelLine";

/** List for label mode: a check box for each category that the image as a whole can have. */
export function LabelList() {
  const { labels } = useEditor();
  const document = useDocument((state) => state);
  const search = useSearch((state) => state.text);
  const current = useCurrentLabel();
  const rows = useMemo(() => labelRows(document, search), [document, search]);
  const list = useRef<HTMLFieldSetElement>(null);
  // Tab reaches one line, the arrow keys the others.
  const reachable = rows.some(({ category }) => category.id === current) ? current : rows[0]?.category.id;
  useEffect(() => {
    const line = list.current?.querySelector<HTMLElement>(`[data-label="${current}"]`);
    line?.scrollIntoView({ block: "nearest" });
    if (list.current?.contains(window.document.activeElement)) line?.querySelector("input")?.focus();
  }, [current]);
  return (
    <>
      <div className={classes.treeHead}>
        <span className={classes.treeTitle}>{t`Labels of this image`}</span>
      </div>
      <TreeSearch />
      {document.categories.length === 0 && (
        <p className={classes.empty}>{t`No categories have been enabled for this image.`}</p>
      )}
      {document.categories.length > 0 && rows.length === 0 && (
        <p className={classes.empty}>{t`No category matches.`}</p>
      )}
      <fieldset ref={list} className={classes.labels} aria-label={t`Labels of this image`}>
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
