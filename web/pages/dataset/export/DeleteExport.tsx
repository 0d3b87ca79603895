import { t } from "@lingui/core/macro";
import { useSubmitOnce } from "../../../components/forms/useSubmitOnce";
import { ConfirmModal } from "../../../components/messages/ConfirmModal";
import { showSuccess } from "../../../components/messages/toast";
import { useLast } from "../../../components/messages/useLast";
import { useDeleteExport } from "../../../queries/dataset";
import { type ListedExport, titleOf } from "./ExportRow";

interface Props {
  datasetId: number;
  /** The export to delete. The dialog is closed while there is none. */
  wanted: ListedExport | null;
  onClose: () => void;
}

/** Confirms the deletion of an export's file. */
export function DeleteExport({ datasetId, wanted, onClose }: Props) {
  const shown = useLast(wanted);
  const title = shown ? titleOf(shown) : "";
  const deletion = useDeleteExport(datasetId);
  const submit = useSubmitOnce(deletion, wanted !== null);
  return (
    <ConfirmModal
      opened={wanted !== null}
      title={t`Delete Export`}
      confirm={t`Delete`}
      isBusy={deletion.isPending}
      isSent={deletion.isPending}
      onConfirm={() =>
        wanted &&
        submit(wanted.id, onClose, () => showSuccess(t`Delete Export`, t`The file of “${title}” was deleted.`))
      }
      onClose={onClose}
    >
      {t`The file of “${title}” will be deleted. The annotations stay, and can be exported again.`}
    </ConfirmModal>
  );
}
