import { ActionIcon, Button, TextInput, Tooltip } from "@mantine/core";
import { useVirtualizer } from "@tanstack/react-virtual";
import { Plus, Search } from "lucide-react";
import { useEffect, useMemo, useRef, useState } from "react";
import { CATEGORY_SEARCH_ABOVE } from "../../../shared/constants";
import classes from "../Annotator.module.css";
import { useDocument, useEditor, useLayers, useSelection } from "../context";
import { rowsOf, selectedRow } from "../rows";
import { AnnotationRow } from "./AnnotationRow";
import { CategoryRow } from "./CategoryRow";
import { lineId } from "./lineId";

const ROW_PX = 26;

/** Categories and, of the opened ones, their annotations. Only the lines in sight are in the page. */
export function Tree() {
  const { ui } = useEditor();
  const document = useDocument((state) => state);
  const layers = useLayers((state) => state);
  const category = useSelection((state) => state.category);
  const annotation = useSelection((state) => state.annotation);
  const [search, setSearch] = useState("");
  const hasSearch = document.categories.length > CATEGORY_SEARCH_ABOVE;
  const rows = useMemo(() => rowsOf(document, layers, hasSearch ? search : ""), [document, layers, search, hasSearch]);
  const scroller = useRef<HTMLDivElement>(null);
  const list = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: 12,
  });
  const current = selectedRow(rows, { annotation, category });
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls when another line is selected, not when lines move
  useEffect(() => {
    if (current >= 0) list.scrollToIndex(current, { align: "auto" });
  }, [annotation, category]);
  return (
    <>
      <div className={classes.treeHead}>
        <span className={classes.treeTitle}>Categories</span>
        <Tooltip label="Create category" openDelay={300}>
          <ActionIcon
            size="sm"
            variant="subtle"
            color="gray"
            aria-label="Create category"
            onClick={() => ui.open({ kind: "new category", needed: false })}
          >
            <Plus size={16} />
          </ActionIcon>
        </Tooltip>
      </div>
      {hasSearch && (
        <div className={classes.search}>
          <TextInput
            size="xs"
            placeholder="Search categories"
            aria-label="Search categories"
            leftSection={<Search size={13} />}
            value={search}
            onChange={(event) => setSearch(event.currentTarget.value)}
          />
        </div>
      )}
      {document.categories.length === 0 && (
        <div className={classes.empty}>
          <p>No categories have been enabled for this image.</p>
          <Button size="xs" onClick={() => ui.open({ kind: "new category", needed: false })}>
            Create category
          </Button>
        </div>
      )}
      <div
        ref={scroller}
        className={classes.tree}
        role="tree"
        aria-label="Categories and annotations"
        tabIndex={0}
        aria-activedescendant={current >= 0 ? lineId(annotation ?? category ?? "") : undefined}
      >
        <div className={classes.rows} style={{ height: list.getTotalSize() }}>
          {list.getVirtualItems().map(({ index, start }) => {
            const row = rows[index]!;
            if (row.kind === "category")
              return <CategoryRow key={row.category.id} category={row.category} count={row.count} top={start} />;
            const { uuid } = row.annotation;
            return <AnnotationRow key={uuid} annotation={row.annotation} number={row.number} top={start} />;
          })}
        </div>
      </div>
    </>
  );
}
