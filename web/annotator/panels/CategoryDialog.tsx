import { Modal } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { updateCategory } from "../../../shared/api/category";
import { showError } from "../../components/toast";
import { request } from "../../io/request";
import { useDocument, useEditor } from "../context";
import { CategoryForm, type CategoryValues } from "./CategoryForm";

/** Changes a category. Its colour is an edit, which can be undone and made offline; its names go to the server at once. */
export function CategoryDialog({ id }: { id: number }) {
  const { document, commands, ui } = useEditor();
  const category = useDocument((state) => state.categories.find((each) => each.id === id));
  const save = useMutation({
    mutationFn: async ({ name, supercategory, color }: CategoryValues) => {
      const old = document.category(id);
      if (!old) return;
      if (name !== old.name || supercategory !== old.supercategory) {
        await request(updateCategory, { params: { id }, body: { name, supercategory } });
        document.putCategory({ ...(document.category(id) ?? old), name, supercategory });
      }
      if (color.toLowerCase() !== old.color) commands.changeCategory(id, { color: color.toLowerCase() });
    },
    onError: showError,
    onSuccess: () => ui.close(),
  });
  if (!category) return null;
  const { name, color, supercategory } = category;
  return (
    <Modal opened returnFocus={false} onClose={() => ui.close()} title={`Category ${name}`}>
      <CategoryForm
        initial={{ name, color, supercategory }}
        submit="Update"
        isBusy={save.isPending}
        onSubmit={(values) => save.mutate(values)}
      />
    </Modal>
  );
}
