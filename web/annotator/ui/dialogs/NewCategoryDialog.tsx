import { Text } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { createCategory } from "../../../../shared/api/category";
import { updateDataset } from "../../../../shared/api/dataset";
import { paletteColorAt } from "../../../../shared/color/readable";
import type { Category } from "../../../../shared/entities/category";
import { isSameName } from "../../../../shared/text/fold";
import { FormModal } from "../../../components/forms/FormModal";
import { useSubmitOnce } from "../../../components/forms/useSubmitOnce";
import { keypointsOf } from "../../../components/keypoints/keypointRows";
import { showError, showSuccess } from "../../../components/messages/toast";
import { getReach } from "../../../io/http/reachability";
import { isOutcomeUnknown, request } from "../../../io/http/request";
import { allCategoriesQuery, useCategoryNames } from "../../../queries/categories";
import { useDocument, useEditor } from "../../editor/context";
import { CategoryForm, type CategoryValues } from "./CategoryForm";

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

interface Props {
  /** True if the user tried to draw without any category. */
  isNeeded: boolean;
  /** Called when the new category is selected. */
  onCreated?: (() => void) | undefined;
}

/**
 * Dialog that creates a category, or reuses one with the same name, adds it to the dataset and selects it for drawing.
 */
export function NewCategoryDialog({ isNeeded, onCreated }: Props) {
  const { document, selection, ui } = useEditor();
  const count = useDocument((state) => state.categories.length);
  const client = useQueryClient();
  const known = useCategoryNames();
  const names = new Set(useDocument((state) => state.categories).map(({ name }) => name));
  const make = useMutation({
    mutationFn: async ({ keypoints, ...values }: CategoryValues) => {
      // Needs the list: creating a category whose name exists already would be refused.
      const all = await client.fetchQuery(allCategoriesQuery);
      const hasName = ({ name }: Category) => isSameName(name, values.name);
      const listed = all.find(hasName);
      const { dataset, permissions } = document.state;
      if (listed) {
        // Without the server, the category joins the dataset's list another time; annotations do not need that.
        const mayAdd = permissions.dataset.edit && getReach() !== "away";
        const isInDataset = mayAdd && (await addToDataset(dataset.id, listed.name));
        return { category: { ...listed, permissions: { edit: false, delete: false } }, isInDataset };
      }
      const body = { ...values, ...keypointsOf(keypoints), dataset: permissions.dataset.edit ? dataset.id : null };
      const category = { ...(await request(createCategory, { body })), permissions: { edit: true, delete: true } };
      return { category, isInDataset: permissions.dataset.edit };
    },
    onError: showError,
    onSuccess: ({ category }) => document.putCategory(category),
  });
  const submit = useSubmitOnce(make);
  const handleSubmit = (values: CategoryValues) =>
    submit(
      values,
      ({ category }) => {
        selection.selectCategory(category.id);
        ui.close();
        onCreated?.();
      },
      ({ category: { name }, isInDataset }) =>
        showSuccess(
          "Creating category",
          isInDataset ? `“${name}” was added to the dataset.` : `“${name}” can be used.`,
        ),
    );
  return (
    <FormModal opened returnFocus={false} onClose={() => ui.close()} title="Create category" size="lg">
      {isNeeded && (
        <Text size="sm" mb="sm">
          Every annotation belongs to a category, and this dataset has none yet. Create one, then draw.
        </Text>
      )}
      <CategoryForm
        initial={{ name: "", color: paletteColorAt(count), supercategory: "", keypoints: [] }}
        submit="Create"
        suggestions={known.state === "loaded" ? [...new Set(known.data)].filter((name) => !names.has(name)) : undefined}
        isDue={known.state === "loading"}
        isBusy={make.isPending}
        onSubmit={handleSubmit}
      />
    </FormModal>
  );
}
