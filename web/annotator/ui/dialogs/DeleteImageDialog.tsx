import { useState } from "react";
import { useNavigate, useSearchParams } from "react-router-dom";
import { useStillOpen } from "../../../components/forms/useStillOpen";
import { ConfirmModal } from "../../../components/messages/ConfirmModal";
import { showSuccess } from "../../../components/messages/toast";
import { useDeleteImage } from "../../../queries/dataset";
import { useDocument, useEditor } from "../../editor/context";
import { counted } from "../../import/additions";

/** Asks, puts the image into the trash, and goes on with the next one of the list, else the one before. */
export function DeleteImageDialog() {
  const { ui, actions, parts } = useEditor();
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
    // Pending drawings go into the trash with the image, and come back with it.
    await actions.save();
    if (!isStillOpen()) return;
    parts.reach.isLeaving = true;
    remove.mutate(id, {
      onError: () => {
        parts.reach.isLeaving = false;
        setBusy(false);
      },
      onSuccess: () => {
        ui.close();
        showSuccess("Image deleted", `${name} is in the trash. The Undo page can restore it.`);
        const goOn = next ?? previous;
        const query = search.size > 0 ? `?${search}` : "";
        void navigate(goOn === null ? `/dataset/${datasetId}${query}` : `/annotate/${goOn}${query}`, { replace: true });
      },
    });
  };
  return (
    <ConfirmModal
      opened
      title="Delete image"
      confirm="Delete"
      isBusy={isBusy}
      isSent={remove.isPending}
      onConfirm={() => void handleConfirm()}
      onClose={() => ui.close()}
    >
      Delete <b>{name}</b> {count > 0 ? `with its ${counted(count)}` : "(it has no annotations)"}? It goes to the trash;
      the Undo page can restore it with all its annotations.
    </ConfirmModal>
  );
}
