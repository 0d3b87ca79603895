import { t } from "@lingui/core/macro";
import type { Version } from "../../../../shared/entities/export";
import { useSubmitOnce } from "../../../components/forms/useSubmitOnce";
import { ConfirmModal } from "../../../components/messages/ConfirmModal";
import { showSuccess } from "../../../components/messages/toast";
import { useLast } from "../../../components/messages/useLast";
import { useDeleteVersion } from "../../../queries/tabs/versions";

interface Props {
  datasetId: number;
  /** The version to delete. The dialog is closed while there is none. */
  wanted: Version | null;
  onClose: () => void;
}

/** Confirms the deletion of a version, which cannot be undone. */
export function DeleteVersion({ datasetId, wanted, onClose }: Props) {
  const shown = useLast(wanted);
  const name = shown?.name ?? "";
  const deletion = useDeleteVersion(datasetId);
  const submit = useSubmitOnce(deletion, wanted !== null);
  return (
    <ConfirmModal
      opened={wanted !== null}
      title={t`Delete Version`}
      confirm={t`Delete`}
      isBusy={deletion.isPending}
      isSent={deletion.isPending}
      onConfirm={() =>
        wanted &&
        submit(wanted.id, onClose, () => showSuccess(t`Delete Version`, t`The version “${name}” was deleted.`))
      }
      onClose={onClose}
    >
      {t`The version “${name}” will be deleted with its file. This cannot be undone. The dataset itself does not change.`}
    </ConfirmModal>
  );
}
