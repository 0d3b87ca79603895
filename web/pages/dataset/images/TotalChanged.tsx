import { ConfirmModal } from "../../../components/messages/ConfirmModal";
import type { BulkCommand } from "../../../queries/bulk";
import { imagesText } from "./imagesText";
import type { RefusedCommand } from "./useBulkCommands";

const VERBS: Record<BulkCommand["what"], string> = { delete: "Delete", move: "Move", label: "Label", mark: "Mark" };

interface Props {
  refused: RefusedCommand | undefined;
  onConfirm: (refused: RefusedCommand) => void;
  onClose: () => void;
}

/** Asks for confirmation of a refused bulk command, with the number of images that match now. */
export function TotalChanged({ refused, onConfirm, onClose }: Props) {
  const verb = refused ? VERBS[refused.command.what] : "";
  return (
    <ConfirmModal
      opened={refused !== undefined}
      title="The list has changed"
      confirm={verb}
      onConfirm={() => refused && onConfirm(refused)}
      onClose={onClose}
    >
      Nothing was changed. You selected {imagesText(refused?.seen.count ?? 0)}, but{" "}
      <b>{imagesText(refused?.total ?? 0)}</b> match now. {verb} {imagesText(refused?.total ?? 0)}?
    </ConfirmModal>
  );
}
