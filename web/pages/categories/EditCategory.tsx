import { Modal } from "@mantine/core";
import type { Category } from "../../../shared/entities/category";
import { showSuccess } from "../../components/toast";
import { useUpdateCategory } from "../../queries/categories";
import { CategoryForm } from "./CategoryForm";

interface Props {
  category: Category;
  opened: boolean;
  onClose: () => void;
}

export function EditCategory({ category, opened, onClose }: Props) {
  const update = useUpdateCategory(category.id);
  const handleSuccess = () => {
    showSuccess("Updating Category", "Category successfully updated");
    onClose();
  };
  return (
    <Modal opened={opened} onClose={onClose} title={`Edit ${category.name}`} size="lg">
      <CategoryForm
        initial={category}
        submit="Update"
        isBusy={update.isPending}
        onSubmit={(input) => update.mutate(input, { onSuccess: handleSuccess })}
        onCancel={onClose}
      />
    </Modal>
  );
}
