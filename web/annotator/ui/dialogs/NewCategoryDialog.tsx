import { t } from "@lingui/core/macro";
import { Text } from "@mantine/core";
import { paletteColorAt } from "../../../../shared/color/readable";
import { FormModal } from "../../../components/forms/FormModal";
import { useSubmitOnce } from "../../../components/forms/useSubmitOnce";
import { useCategoryNames } from "../../../queries/categories";
import { useDocument, useEditor } from "../../editor/context";
import { showCategoryMade, useMakeCategory } from "../common/useMakeCategory";
import { CategoryForm, type CategoryValues } from "./CategoryForm";

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
  const { selection, categories, ui } = useEditor();
  const count = useDocument((state) => state.categories.length);
  const known = useCategoryNames();
  const names = new Set(useDocument((state) => state.categories).map(({ name }) => name));
  const make = useMakeCategory();
  const submit = useSubmitOnce(make);
  const handleSubmit = (values: CategoryValues) =>
    submit(
      values,
      ({ category }) => {
        selection.selectCategory(category.id);
        ui.close();
        categories.chooseToolOf(category);
        onCreated?.();
      },
      showCategoryMade,
    );
  return (
    <FormModal opened returnFocus={false} onClose={() => ui.close()} title={t`Create category`} size="lg">
      {isNeeded && (
        <Text size="sm" mb="sm">
          {t`Every annotation belongs to a category, and this dataset has none yet. Create one, then draw.`}
        </Text>
      )}
      <CategoryForm
        initial={{
          name: "",
          color: paletteColorAt(count),
          supercategory: "",
          keypoints: [],
          attributes: [],
          tool: null,
        }}
        submit={t`Create`}
        suggestions={known.state === "loaded" ? [...new Set(known.data)].filter((name) => !names.has(name)) : undefined}
        isLoadingSuggestions={known.state === "loading"}
        existing={known.state === "loaded" ? known.data : undefined}
        isBusy={make.isPending}
        onSubmit={handleSubmit}
      />
    </FormModal>
  );
}
