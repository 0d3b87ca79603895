import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import type { ImageSummary } from "../../../../../shared/entities/image";
import { useSubmitOnce } from "../../../../components/forms/useSubmitOnce";
import { ConfirmModal } from "../../../../components/messages/ConfirmModal";
import { showSuccess } from "../../../../components/messages/toast";
import { useDeleteImage } from "../../../../queries/dataset";

interface Props {
  image: ImageSummary;
  datasetId: number;
  isOpen: boolean;
  onClose: () => void;
}

/** Asks before an image is deleted. */
export function DeleteImage({ image: { id, file_name: fileName }, datasetId, isOpen, onClose }: Props) {
  const remove = useDeleteImage(datasetId);
  const submitDelete = useSubmitOnce(remove, isOpen);
  return (
    <ConfirmModal
      opened={isOpen}
      title={t`Delete image`}
      confirm={t`Delete`}
      isBusy={remove.isPending}
      isSent={remove.isPending}
      onConfirm={() =>
        submitDelete(id, onClose, () =>
          showSuccess(t`Delete image`, t`The image “${fileName}” was moved to the trash.`),
        )
      }
      onClose={onClose}
    >
      <Trans>
        Delete <b>{fileName}</b> with its annotations? It will be moved to the trash and can be restored from there.
      </Trans>
    </ConfirmModal>
  );
}
