import { CATEGORY_SEARCH_ABOVE } from "../../../../shared/constants";
import { useDocument, useEditor, useSearch } from "../../editor/context";
import classes from "../common/Annotator.module.css";
import { SearchField } from "./SearchField";

/** Search field for categories, shown only if there are many. */
export function CategorySearch() {
  const { search } = useEditor();
  const text = useSearch((state) => state.categories);
  const isNeeded = useDocument((state) => state.categories.length > CATEGORY_SEARCH_ABOVE);
  if (!isNeeded) return null;
  return (
    <div className={classes.search}>
      <SearchField
        name="categories"
        label="Search categories"
        placeholder="Search categories"
        value={text}
        onChange={(value) => search.findCategories(value)}
      />
    </div>
  );
}
