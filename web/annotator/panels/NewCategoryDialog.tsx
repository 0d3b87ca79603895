import { Text } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { createCategory } from "../../../shared/api/category";
import { updateDataset } from "../../../shared/api/dataset";
import { KEYPOINT_PALETTE } from "../../../shared/constants";
import { FormModal } from "../../components/FormModal";
import { keypointsOf } from "../../components/keypoints/keypointRows";
import { showError, showSuccess } from "../../components/toast";
import { useSubmitOnce } from "../../components/useSubmitOnce";
import { request } from "../../io/request";
import { allCategoriesQuery, useCategoryNames } from "../../queries/categories";
import { useDocument, useEditor } from "../context";
import { CategoryForm, type CategoryValues } from "./CategoryForm";

const addToDataset = (id: number, name: string) =>
  request(updateDataset, { params: { id }, body: { add_categories: [name] } });

/**
 * Makes a category, or takes one that has the name already, adds it to the dataset and selects it, so that one can draw
 * at once.
 */
export function NewCategoryDialog({ isNeeded }: { isNeeded: boolean }) {
  const { document, selection, ui } = useEditor();
  const count = useDocument((state) => state.categories.length);
  const client = useQueryClient();
  const known = useCategoryNames();
  const names = new Set(useDocument((state) => state.categories).map(({ name }) => name));
  const make = useMutation({
    mutationFn: async ({ keypoints, ...values }: CategoryValues) => {
      // Waits for the list, and fails with it: without it one of that name would be made anew, and be refused.
      const all = await client.fetchQuery(allCategoriesQuery);
      const listed = all.find(({ name }) => name.toLowerCase() === values.name.toLowerCase());
      const category = listed ?? (await request(createCategory, { body: { ...values, ...keypointsOf(keypoints) } }));
      const { dataset, permissions } = document.state;
      if (permissions.dataset.edit) await addToDataset(dataset.id, category.name).catch(showError);
      const mine = !listed;
      return { ...category, permissions: { edit: mine, delete: mine } };
    },
    onError: showError,
    onSuccess: (category) => document.putCategory(category),
  });
  const submit = useSubmitOnce(make);
  const handleSubmit = (values: CategoryValues) =>
    submit(
      values,
      ({ id }) => {
        selection.selectCategory(id);
        ui.close();
      },
      ({ name }) => showSuccess("Creating category", `“${name}” is in the dataset now.`),
    );
  const color = KEYPOINT_PALETTE[count % KEYPOINT_PALETTE.length] ?? KEYPOINT_PALETTE[0];
  return (
    <FormModal opened returnFocus={false} onClose={() => ui.close()} title="Create category" size="lg">
      {isNeeded && (
        <Text size="sm" mb="sm">
          Every annotation belongs to a category, and this dataset has none yet. Create one, then draw.
        </Text>
      )}
      <CategoryForm
        initial={{ name: "", color, supercategory: "", keypoints: [] }}
        submit="Create"
        suggestions={known.state === "here" ? [...new Set(known.data)].filter((name) => !names.has(name)) : undefined}
        isDue={known.state === "loading"}
        isBusy={make.isPending}
        onSubmit={handleSubmit}
      />
    </FormModal>
  );
}
