import { t } from "@lingui/core/macro";
import { metadataWithTool } from "../../../shared/rules/categoryTool";
import { attributesOf } from "../../components/attributes/attributeRows";
import { FormModal } from "../../components/forms/FormModal";
import { useSubmitOnce } from "../../components/forms/useSubmitOnce";
import { keypointsOf } from "../../components/keypoints/keypointRows";
import { showSuccess } from "../../components/messages/toast";
import { useCreateCategory } from "../../queries/categories";
import { CategoryForm } from "./CategoryForm";
import type { CategoryValues } from "./categoryChange";

/** Dialog to create a category. `color` is the initial value of its colour field. */
export function CreateCategory({ opened, onClose, color }: { opened: boolean; onClose: () => void; color: string }) {
  const create = useCreateCategory();
  const submit = useSubmitOnce(create, opened);
  const keypoints = { keypoint_labels: [], keypoint_edges: [], keypoint_colors: [], keypoint_label_ids: [] };
  const blank = { name: "", supercategory: "", color, ...keypoints, attributes: [] };
  const handleSubmit = ({ name, supercategory, color, rows, attributes, tool }: CategoryValues) =>
    submit(
      {
        name: name.trim(),
        supercategory: supercategory.trim(),
        color,
        ...keypointsOf(rows),
        attributes: attributesOf(attributes),
        ...(tool && { metadata: metadataWithTool(tool) }),
      },
      onClose,
      ({ name: created }) => showSuccess(t`Creating a Category`, t`The category “${created}” was created.`),
    );
  return (
    <FormModal opened={opened} onClose={onClose} title={t`Creating a Category`} size="lg">
      <CategoryForm
        initial={blank}
        submit={t`Create Category`}
        isBusy={create.isPending}
        onSubmit={handleSubmit}
        onCancel={onClose}
      />
    </FormModal>
  );
}
