import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useState } from "react";
import type { UndoEntry } from "../../../shared/api/undo";
import { ConfirmModal } from "../../components/messages/ConfirmModal";
import { consequenceOf, countsOf, kindText, titleOf } from "./entryTexts";

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
  const what = own.length === 1 && first ? titleOf(first) : countsOf(own);
  const foreign = shown.length - own.length;
  return (
    <ConfirmModal
      opened={entries.length > 0}
      title={t`Delete permanently`}
      confirm={t`Delete permanently`}
      isBusy={isBusy}
      isSent={isSent}
      onConfirm={() => onConfirm(own)}
      onClose={onClose}
    >
      <p>
        <Trans>
          Are you sure you want to delete <b>{what}</b> permanently? This action cannot be undone.
        </Trans>
      </p>
      {kinds.map((instance) => (
        <p key={instance}>
          {kinds.length > 1 && <b>{kindText(instance)}: </b>}
          {consequenceOf(instance, own.filter((entry) => entry.instance === instance).length)}
        </p>
      ))}
      {foreign > 0 && (
        <p>
          {plural(foreign, {
            one: "# of the selected items will not be deleted, because only the owner can delete it.",
            other: "# of the selected items will not be deleted, because only the owner can delete them.",
          })}
        </p>
      )}
    </ConfirmModal>
  );
}
