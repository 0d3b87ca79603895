import { Modal } from "@mantine/core";
import { useCreateCategory } from "../../queries/categories";
import { CategoryForm } from "./CategoryForm";

/** `color`: what a new category starts with. */
export function CreateCategory({ opened, onClose, color }: { opened: boolean; onClose: () => void; color: string }) {
  const create = useCreateCategory();
  const blank = { name: "", supercategory: "", color, keypoint_labels: [], keypoint_edges: [], keypoint_colors: [] };
  return (
    <Modal opened={opened} onClose={onClose} title="Creating a Category" size="lg">
      <CategoryForm
        initial={blank}
        submit="Create Category"
        isBusy={create.isPending}
        onSubmit={(input) => create.mutate(input, { onSuccess: onClose })}
        onCancel={onClose}
      />
    </Modal>
  );
}
