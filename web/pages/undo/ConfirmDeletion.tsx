import { useState } from "react";
import type { UndoEntry } from "../../../shared/api/undo";
import { ConfirmModal } from "../../components/messages/ConfirmModal";
import { countsOf, goesWith, titleOf } from "./entryTexts";

interface Props {
  /** None: the question is not asked. */
  entries: readonly UndoEntry[];
  isBusy: boolean;
  /** The deletion is on its way. */
  isSent: boolean;
  onConfirm: (entries: readonly UndoEntry[]) => void;
  onClose: () => void;
}

/** Asks before things go for good, and says what goes with them. Those that are not one's own to delete stay. */
export function ConfirmDeletion({ entries, isBusy, isSent, onConfirm, onClose }: Props) {
  // While the dialog fades out it still says what it was about.
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
          {goesWith(instance, own.filter((entry) => entry.instance === instance).length)}
        </p>
      ))}
      {foreign > 0 && (
        <p>
          {foreign} of the selected {foreign === 1 ? "stays: it is" : "stay: they are"} not yours to delete.
        </p>
      )}
    </ConfirmModal>
  );
}
