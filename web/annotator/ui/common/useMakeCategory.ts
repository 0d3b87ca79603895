import { t } from "@lingui/core/macro";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { createCategory } from "../../../../shared/api/category";
import { updateDataset } from "../../../../shared/api/datasets/dataset";
import type { Category } from "../../../../shared/entities/category";
import { type CategoryTool, metadataWithTool } from "../../../../shared/rules/categoryTool";
import { isSameName } from "../../../../shared/text/fold";
import { type AttributeRow, attributesOf } from "../../../components/attributes/attributeRows";
import { type KeypointRow, keypointsOf } from "../../../components/keypoints/keypointRows";
import { showError, showSuccess } from "../../../components/messages/toast";
import { getReach } from "../../../io/http/reachability";
import { isOutcomeUnknown, request } from "../../../io/http/request";
import { allCategoriesQuery } from "../../../queries/categories";
import { useEditor } from "../../editor/context";

export interface NewCategory {
  name: string;
  color: string;
  supercategory: string;
  keypoints: KeypointRow[];
  attributes?: AttributeRow[];
  /** Tool that is chosen with the category; null for none. */
  tool?: CategoryTool | null;
}

/** Returns a mutation that creates a category, or reuses one with the same name, and adds it to the dataset. */
export function useMakeCategory() {
  const { document } = useEditor();
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ keypoints, attributes = [], tool = null, ...values }: NewCategory) => {
      // Needs the list, because the server refuses to create a category whose name already exists.
      const all = await client.fetchQuery(allCategoriesQuery);
      const hasName = ({ name }: Category) => isSameName(name, values.name);
      const listed = all.find(hasName);
      const { dataset, permissions } = document.state;
      if (listed) {
        // If the server cannot be reached, the category is not added to the dataset; annotations do not need that.
        const mayAdd = permissions.dataset.edit && getReach() !== "away";
        const isInDataset = mayAdd && (await addToDataset(dataset.id, listed.name));
        return {
          category: { ...listed, permissions: listed.permissions ?? { edit: false, delete: false } },
          isInDataset,
        };
      }
      const metadata = tool && { metadata: metadataWithTool(tool) };
      const defined = { ...keypointsOf(keypoints), attributes: attributesOf(attributes), ...metadata };
      const body = { ...values, ...defined, dataset: permissions.dataset.edit ? dataset.id : null };
      const category = { ...(await request(createCategory, { body })), permissions: { edit: true, delete: true } };
      return { category, isInDataset: permissions.dataset.edit };
    },
    onError: showError,
    onSuccess: ({ category }) => document.putCategory(category),
  });
}

/** Shows that a category was created, for a form that was closed in the meantime. */
export function showCategoryMade({ category: { name }, isInDataset }: { category: Category; isInDataset: boolean }) {
  showSuccess(
    t`Creating category`,
    isInDataset ? t`“${name}” was added to the dataset.` : t`“${name}” can now be used.`,
  );
}

/**
 * Adds a category to the dataset. If the server refuses, shows why and returns false; the user can still draw with the
 * category.
 */
async function addToDataset(id: number, name: string): Promise<boolean> {
  try {
    await request(updateDataset, { params: { id }, body: { add_categories: [name] } });
    return true;
  } catch (error) {
    if (isOutcomeUnknown(error)) throw error;
    showError(error);
    return false;
  }
}
