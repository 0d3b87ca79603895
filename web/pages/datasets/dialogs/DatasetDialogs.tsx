import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import type { Category } from "../../../../shared/entities/category";
import { useSubmitOnce } from "../../../components/forms/useSubmitOnce";
import { ConfirmModal } from "../../../components/messages/ConfirmModal";
import { showSuccess } from "../../../components/messages/toast";
import { useDeleteDataset } from "../../../queries/datasets";
import { EditDataset } from "./EditDataset";
import type { ManagedDataset } from "./managedDataset";
import { ShareDataset } from "./ShareDataset";

export type DialogName = "edit" | "share" | "delete";

interface Props {
  dataset: ManagedDataset;
  /** The dataset's default categories. */
  categories: readonly Pick<Category, "id" | "name">[];
  open: DialogName | null;
  onClose: () => void;
  /** Called after the dataset was deleted, if the dialog is still open. */
  onDeleted?: () => void;
}

/** The dialogs of a dataset's menu that need the server. */
export function DatasetDialogs({ dataset, categories, open, onClose, onDeleted }: Props) {
  const remove = useDeleteDataset();
  const submitDelete = useSubmitOnce(remove, open === "delete");
  const { id, name, numberImages: count } = dataset;
  const handleDeleted = () => {
    onClose();
    onDeleted?.();
  };
  return (
    <>
      <EditDataset dataset={dataset} categories={categories} opened={open === "edit"} onClose={onClose} />
      <ShareDataset dataset={dataset} opened={open === "share"} onClose={onClose} />
      <ConfirmModal
        opened={open === "delete"}
        title={t`Delete dataset`}
        confirm={t`Delete`}
        isBusy={remove.isPending}
        isSent={remove.isPending}
        onConfirm={() =>
          submitDelete(id, handleDeleted, () =>
            showSuccess(t`Delete dataset`, t`The dataset “${name}” was moved to the trash.`),
          )
        }
        onClose={onClose}
      >
        <Trans>
          Delete the dataset <b>{name}</b> with all images ({count}) and annotations? It will be moved to the trash and
          can be restored from there.
        </Trans>
      </ConfirmModal>
    </>
  );
}
