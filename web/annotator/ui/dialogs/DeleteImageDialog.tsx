import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useState } from "react";
import { useNavigate, useSearchParams } from "react-router-dom";
import { useStillOpen } from "../../../components/forms/useStillOpen";
import { ConfirmModal } from "../../../components/messages/ConfirmModal";
import { showSuccess } from "../../../components/messages/toast";
import { useDeleteImage } from "../../../queries/dataset";
import { useDocument, useEditor } from "../../editor/context";

/** Dialog that moves the image to the trash, then opens the next image of the list, or the previous one. */
export function DeleteImageDialog() {
  const { ui, saving, parts } = useEditor();
  const { id, file_name: name, next, previous, dataset_id: datasetId } = useDocument((state) => state.image);
  const count = useDocument((state) => state.annotations.size);
  const remove = useDeleteImage(datasetId);
  const navigate = useNavigate();
  const [search] = useSearchParams();
  const [isBusy, setBusy] = useState(false);
  const isStillOpen = useStillOpen();
  const handleConfirm = async () => {
    if (isBusy) return;
    setBusy(true);
    // Saved first, so that pending drawings go to the trash and are restored with the image.
    await saving.save();
    if (!isStillOpen()) return;
    parts.availability.isLeaving = true;
    // `mutateAsync`, because the callbacks of `mutate` do not run once the image has been left.
    await remove.mutateAsync(id).then(handleDeleted, () => {
      // The mutation itself shows the error.
      parts.availability.isLeaving = false;
      setBusy(false);
    });
  };
  const handleDeleted = () => {
    showSuccess(t`Image deleted`, t`${name} is in the trash. You can restore it on the Undo page.`);
    if (!isStillOpen()) return;
    ui.close();
    const neighbour = next ?? previous;
    const query = search.size > 0 ? `?${search}` : "";
    void navigate(neighbour === null ? `/dataset/${datasetId}${query}` : `/annotate/${neighbour}${query}`, {
      replace: true,
    });
  };
  const contents =
    count === 0
      ? t`(it has no annotations)`
      : plural(count, { one: "with its # annotation", other: "with its # annotations" });
  return (
    <ConfirmModal
      opened
      title={t`Delete image`}
      confirm={t`Delete`}
      isBusy={isBusy}
      isSent={remove.isPending}
      onConfirm={() => void handleConfirm()}
      onClose={() => ui.close()}
    >
      <Trans>
        Delete <b>{name}</b> {contents}? It moves to the trash; you can restore it with all its annotations on the Undo
        page.
      </Trans>
    </ConfirmModal>
  );
}
