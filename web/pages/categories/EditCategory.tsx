import { Modal } from "@mantine/core";
import type { Category } from "../../../shared/entities/category";
import { showSuccess } from "../../components/toast";
import { useSubmitOnce } from "../../components/useSubmitOnce";
import { useUpdateCategory } from "../../queries/categories";
import { CategoryForm } from "./CategoryForm";
import { type CategoryValues, categoryChange } from "./categoryChange";

interface Props {
  category: Category;
  opened: boolean;
  onClose: () => void;
}

export function EditCategory({ category, opened, onClose }: Props) {
  const update = useUpdateCategory(category.id);
  const submit = useSubmitOnce(update, opened);
  const handleSuccess = () => {
    showSuccess("Updating Category", "Category successfully updated");
    onClose();
  };
  const handleSubmit = (values: CategoryValues, before: Category) => {
    const change = categoryChange(before, values);
    if (Object.keys(change).length === 0) return onClose();
    submit({ before, change }, handleSuccess);
  };
  return (
    <Modal opened={opened} onClose={onClose} title={`Edit ${category.name}`} size="lg">
      <CategoryForm
        initial={category}
        submit="Update"
        isBusy={update.isPending}
        onSubmit={handleSubmit}
        onCancel={onClose}
      />
    </Modal>
  );
}
