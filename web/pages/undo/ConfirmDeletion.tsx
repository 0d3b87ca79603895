import { useState } from "react";
import type { UndoEntry } from "../../../shared/api/undo";
import { ConfirmModal } from "../../components/messages/ConfirmModal";
import { consequenceOf, countsOf, titleOf } from "./entryTexts";

interface Props {
  /** The entries to delete. The dialog is closed while there are none. */
  entries: readonly UndoEntry[];
  isBusy: boolean;
  /** True once the request is sent. */
  isSent: boolean;
  onConfirm: (entries: readonly UndoEntry[]) => void;
  onClose: () => void;
}

/** Confirms a permanent deletion and lists its consequences. Entries that the user may not delete are left out. */
export function ConfirmDeletion({ entries, isBusy, isSent, onConfirm, onClose }: Props) {
  // Keeps the text while the dialog fades out.
  const [shown, setShown] = useState(entries);
  if (entries.length > 0 && entries !== shown) setShown(entries);
  const own = shown.filter((entry) => entry.permissions.delete);
  const kinds = [...new Set(own.map(({ instance }) => instance))];
  const [first] = own;
  const foreign = shown.length - own.length;
  return (
    <ConfirmModal
      opened={entries.length > 0}
      title="Delete permanently"
      confirm="Delete permanently"
      isBusy={isBusy}
      isSent={isSent}
      onConfirm={() => onConfirm(own)}
      onClose={onClose}
    >
      <p>
        Are you sure you want to delete <b>{own.length === 1 && first ? titleOf(first) : countsOf(own)}</b> permanently?
        This action cannot be undone.
      </p>
      {kinds.map((instance) => (
        <p key={instance}>
          {kinds.length > 1 && <b>{instance}: </b>}
          {consequenceOf(instance, own.filter((entry) => entry.instance === instance).length)}
        </p>
      ))}
      {foreign > 0 && (
        <p>
          {foreign} of the selected items will not be deleted, because only the owner can delete{" "}
          {foreign === 1 ? "it" : "them"}.
        </p>
      )}
    </ConfirmModal>
  );
}
