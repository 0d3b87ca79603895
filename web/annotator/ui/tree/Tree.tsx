import { t } from "@lingui/core/macro";
import { ActionIcon, Button, Tooltip } from "@mantine/core";
import { useVirtualizer } from "@tanstack/react-virtual";
import { Plus } from "lucide-react";
import { type KeyboardEvent, useEffect, useMemo, useRef } from "react";
import {
  useDocument,
  useEditor,
  useKeypoints,
  useLayers,
  useMayEdit,
  useSearch,
  useSelection,
  useSettings,
  useToolbox,
} from "../../editor/context";
import { isFound, type Row, rowsOf, selectedRow } from "../../tree/rows";
import classes from "../common/Annotator.module.css";
import { AnnotationRow } from "./AnnotationRow";
import { CategoryRow } from "./CategoryRow";
import { KeypointRow } from "./KeypointRow";
import { ListMenu } from "./ListMenu";
import { lineOf } from "./lineId";
import { OthersRow } from "./OthersRow";
import { TreeSearch } from "./TreeSearch";

/** Height of a row in rem, the same as in the style sheet. */
const ROW_REM = 1.625;
/** Height of a row on touch screens, in rem. */
const ROW_TOUCH_REM = 2.5;

/** Tree of categories and the annotations of expanded categories. Only visible rows are rendered. */
export function Tree() {
  const { ui, actions } = useEditor();
  const mayEdit = useMayEdit();
  const document = useDocument((state) => state);
  const layers = useLayers((state) => state);
  const category = useSelection((state) => state.category);
  const annotation = useSelection((state) => state.annotation);
  const keypoint = useSelection((state) => state.keypoint);
  const search = useSearch((state) => state);
  const { listOrder } = useSettings();
  const rows = useMemo(
    () => rowsOf(document, layers, search, { annotation, category }, listOrder),
    [document, layers, search, annotation, category, listOrder],
  );
  const scroller = useRef<HTMLDivElement>(null);
  const rem = Number.parseFloat(getComputedStyle(window.document.documentElement).fontSize);
  const rowPx = rem * (matchMedia("(pointer: coarse)").matches ? ROW_TOUCH_REM : ROW_REM);
  const list = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowPx,
    getItemKey: (index) => keyOf(rows[index]!),
    overscan: 6,
  });
  const isMissing = search.text.trim() !== "" && !rows.some((row) => isFound(row, document, search));
  const current = selectedRow(rows, { annotation, category, keypoint });
  const isListed = current >= 0;
  const height = list.scrollRect?.height;
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls when another row is selected or the space changes
  useEffect(() => {
    if (current >= 0) list.scrollToIndex(current, { align: "auto" });
  }, [annotation, category, keypoint, isListed, height]);
  const { tool } = useToolbox();
  const next = useKeypoints((state) => state.next?.id);
  const isPlacing = tool.name === "Keypoints";
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls when another label comes next, not when rows move
  useEffect(() => {
    const index = rows.findIndex((row) => row.kind === "keypoint" && row.label.id === next);
    if (isPlacing && index >= 0) list.scrollToIndex(index, { align: "auto" });
  }, [next, annotation, isPlacing]);
  const handleKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || event.target !== event.currentTarget || annotation === null) return;
    // Enter must not reach the canvas, where it has another meaning.
    event.stopPropagation();
    event.preventDefault();
    actions.openAnnotationSettings();
  };
  return (
    <>
      <div className={classes.treeHead}>
        <span className={classes.treeTitle}>
          {rows.some(({ kind }) => kind === "others") ? t`In this image` : t`Categories`}
        </span>
        <ListMenu />
        {mayEdit && (
          <Tooltip label={t`Create category`} openDelay={300}>
            <ActionIcon
              size="sm"
              variant="subtle"
              color="gray"
              aria-label={t`Create category`}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => ui.open({ kind: "new category", needed: false })}
            >
              <Plus size={16} />
            </ActionIcon>
          </Tooltip>
        )}
      </div>
      <TreeSearch />
      {document.categories.length === 0 && (
        <div className={classes.empty}>
          <p>{t`No categories have been enabled for this image.`}</p>
          {mayEdit && (
            <Button size="xs" onClick={() => ui.open({ kind: "new category", needed: false })}>
              {t`Create category`}
            </Button>
          )}
        </div>
      )}
      <div role="status">
        {isMissing && <p className={classes.nothing}>{t`Nothing found for “${{ text: search.text.trim() }}”`}</p>}
      </div>
      <div
        ref={scroller}
        className={classes.tree}
        role="tree"
        aria-multiselectable
        aria-label={t`Categories and annotations`}
        tabIndex={0}
        onKeyDown={handleKeyDown}
        aria-activedescendant={rows[current] && lineOf(rows[current])}
      >
        <div className={classes.rows} style={{ height: list.getTotalSize() }}>
          {list.getVirtualItems().map(({ index, start, key }) => {
            const row = rows[index]!;
            if (row.kind === "category")
              return (
                <CategoryRow key={key} category={row.category} count={row.count} isOpen={row.isOpen} top={start} />
              );
            if (row.kind === "others") return <OthersRow key={key} count={row.count} isOpen={row.isOpen} top={start} />;
            if (row.kind === "keypoint")
              return (
                <KeypointRow key={key} annotation={row.annotation} label={row.label} point={row.point} top={start} />
              );
            const { annotation, number, list } = row;
            return <AnnotationRow key={key} annotation={annotation} number={number} list={list} top={start} />;
          })}
        </div>
      </div>
    </>
  );
}

function keyOf(row: Row): string {
  if (row.kind === "annotation") return row.annotation.uuid;
  if (row.kind === "keypoint") return `${row.annotation.uuid} ${row.label.id}`;
  return row.kind === "others" ? row.kind : `${row.kind} ${row.category.id}`;
}
