import { t } from "@lingui/core/macro";
import { TextInput } from "@mantine/core";
import { Search as Glass } from "lucide-react";
import { type KeyboardEvent, useEffect, useRef } from "react";
import { isComposing } from "../../../components/isComposing";
import { useDocument, useEditor, useMode, useSearch } from "../../editor/context";
import { searchable } from "../../state/search";
import classes from "../common/Annotator.module.css";

/**
 * Search field over all categories and annotations, shown if there are several. Arrow keys move through the matches,
 * Enter selects one, ends the search and focuses the canvas; Escape clears the field, then leaves it.
 */
export function TreeSearch() {
  const mode = useMode();
  const what = useDocument((state) => searchable(state, mode));
  return what && <SearchField what={what} />;
}

type Searchable = NonNullable<ReturnType<typeof searchable>>;

function SearchField({ what }: { what: Searchable }) {
  const editor = useEditor();
  const { search, navigation, labels, mode, actions } = editor;
  const field = useRef<HTMLInputElement>(null);
  const text = useSearch((state) => state.text);
  const shouldFocus = useSearch((state) => state.isFocusRequested);
  useEffect(() => {
    if (!shouldFocus) return;
    field.current?.select();
    search.requestFocus(false);
  }, [shouldFocus, search]);
  const handleKeyDown = (event: KeyboardEvent) => {
    const { key } = event;
    // Enter and arrow keys belong to an input method while it composes.
    if (isComposing(event.nativeEvent)) return;
    const isLabels = mode.mode === "label";
    if (key === "ArrowDown" || key === "ArrowUp") {
      event.preventDefault();
      const by = key === "ArrowUp" ? -1 : 1;
      if (isLabels) labels.move(by);
      else navigation.move(by);
      if (!isLabels) actions.showSelected();
    }
    if (key === "Enter") {
      event.preventDefault();
      if (!(isLabels ? labels.selectFound() : navigation.selectFound())) return;
      if (!isLabels) actions.showSelected();
      editor.focus();
    }
    if (key !== "Escape" || text === "") return;
    event.preventDefault();
    search.find("");
  };
  return (
    <div className={classes.search}>
      <TextInput
        ref={field}
        size="xs"
        placeholder={what === "annotations" ? t`Name, id, author:…, area>…` : searchText(what)}
        aria-label={searchText(what)}
        leftSection={<Glass size={13} />}
        value={text}
        onChange={(event) => search.find(event.currentTarget.value)}
        onKeyDown={handleKeyDown}
      />
    </div>
  );
}

function searchText(what: Searchable): string {
  if (what === "categories") return t`Search categories`;
  return what === "annotations" ? t`Search annotations` : t`Search categories and annotations`;
}
