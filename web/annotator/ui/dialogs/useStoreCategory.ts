import { updateCategory } from "../../../../shared/api/category";
import type { BodyOf } from "../../../../shared/api/protocol/call";
import type { CategoryChange } from "../../../../shared/edits/edit";
import { same } from "../../../../shared/edits/same";
import { request } from "../../../io/http/request";
import type { SceneCategory } from "../../document/document";
import { useEditor } from "../../editor/context";
import { definitionFieldsOf } from "../../keypoints/model/definition";

type Named = BodyOf<typeof updateCategory>;

/**
 * Returns a function that stores a category's names or tool together with its colour, keypoints and attributes, in one
 * request. `category` is the category as the user saw it: rejects, and stores nothing, if another user has changed its
 * keypoints or attributes since.
 */
export function useStoreCategory(category: SceneCategory) {
  const { document, commands, parts } = useEditor();
  const { id } = category;
  return async (named: Named, change: CategoryChange): Promise<void> => {
    // The server compares with what it has, so this user's own edits must be there.
    await parts.sink.flush();
    const { keypoint_label_ids: label_ids, ...look } = change;
    const body = {
      ...named,
      ...look,
      // Reloaded in the meantime, the category would seem to be another user's, and could not be undone.
      client: parts.sink.client,
      ...(label_ids && { label_ids, keypoints_before: definitionFieldsOf(category) }),
      ...(look.attributes && { attributes_before: category.attributes ?? [] }),
    };
    const { category: stored } = await request(updateCategory, { params: { id }, body });
    const now = document.category(id);
    if (!now) return;
    const { name, supercategory, metadata } = stored;
    document.putCategory({ ...now, name, supercategory, metadata });
    const fields = Object.keys(change) as (keyof CategoryChange)[];
    // As an edit it can be undone; the server finds nothing to change. Later changes have arrived if the category
    // differs.
    if (fields.length > 0 && fields.every((field) => same(now[field], category[field])))
      commands.changeCategory(id, Object.fromEntries(fields.map((field) => [field, stored[field]])));
  };
}
