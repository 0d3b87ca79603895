import { t } from "@lingui/core/macro";
import { Plural, Trans } from "@lingui/react/macro";
import { useState } from "react";
import type { Category } from "../../../shared/entities/category";
import { FormModal } from "../../components/forms/FormModal";
import { useSubmitOnce } from "../../components/forms/useSubmitOnce";
import { LabelsQuestion } from "../../components/keypoints/LabelsQuestion";
import { showSuccess } from "../../components/messages/toast";
import { useUpdateCategory } from "../../queries/categories";
import { CategoryForm } from "./CategoryForm";
import { type CategoryUpdate, type CategoryValues, categoryChange, labelsLost } from "./categoryChange";

interface Props {
  category: Category;
  /** Number of the category's annotations, which may have keypoints. */
  count: number;
  opened: boolean;
  onClose: () => void;
}

interface Edit {
  before: Category;
  change: CategoryUpdate;
}

/** Dialog to edit a category. Asks before removing keypoint labels from a category with annotations. */
export function EditCategory({ category, count, opened, onClose }: Props) {
  const { name } = category;
  const [confirming, setConfirming] = useState<Edit | null>(null);
  const update = useUpdateCategory(category.id);
  const submit = useSubmitOnce(update, opened);
  const showDone = () => showSuccess(t`Updating Category`, t`Category successfully updated`);
  const handleSaved = () => {
    showDone();
    onClose();
  };
  const save = (edit: Edit) => submit(edit, handleSaved, showDone);
  const handleSubmit = (values: CategoryValues, before: Category) => {
    const edit = { before, change: categoryChange(before, values) };
    if (Object.keys(edit.change).length === 0) return onClose();
    if (count > 0 && labelsLost(before, edit.change).length > 0) setConfirming(edit);
    else save(edit);
  };
  const handleClose = () => {
    if (!confirming) onClose();
    else if (!update.isPending) setConfirming(null);
  };
  return (
    <FormModal
      opened={opened}
      onClose={handleClose}
      onExitTransitionEnd={() => setConfirming(null)}
      title={confirming ? t`Remove keypoints` : t`Edit ${name}`}
      size="lg"
      isForm={!confirming}
    >
      <div hidden={confirming !== null}>
        <CategoryForm
          initial={category}
          submit={t`Update`}
          isBusy={update.isPending}
          onSubmit={handleSubmit}
          onCancel={onClose}
        />
      </div>
      {confirming && (
        <LabelsQuestion
          labels={labelsLost(confirming.before, confirming.change).map(({ id, name }) => ({ id, text: name }))}
          isBusy={update.isPending}
          onCancel={() => setConfirming(null)}
          onRemove={() => save(confirming)}
        >
          <Trans>
            The category has <Plural value={count} one="# annotation" other="# annotations" />, which may have keypoints
            with these labels. Removing a label hides its keypoints on all images. Adding a label of the same name shows
            them again.
          </Trans>
        </LabelsQuestion>
      )}
    </FormModal>
  );
}
