import type { MessageDescriptor } from "@lingui/core";
import { msg, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { ConfirmModal } from "../../../components/messages/ConfirmModal";
import { i18n } from "../../../languages/i18n";
import type { BulkCommand } from "../../../queries/bulk";
import { imagesText } from "./imagesText";
import type { RefusedCommand } from "./useBulkCommands";

/** The button of each command, and the question that it answers. */
const TEXTS: Record<BulkCommand["what"], { verb: MessageDescriptor; question: (images: string) => string }> = {
  delete: { verb: msg`Delete`, question: (images) => t`Delete ${images}?` },
  move: { verb: msg`Move`, question: (images) => t`Move ${images}?` },
  label: { verb: msg({ message: "Label", context: "verb" }), question: (images) => t`Label ${images}?` },
  assign: { verb: msg`Assign`, question: (images) => t`Assign ${images}?` },
  mark: { verb: msg`Mark`, question: (images) => t`Mark ${images}?` },
};

interface Props {
  refused: RefusedCommand | undefined;
  onConfirm: (refused: RefusedCommand) => void;
  onClose: () => void;
}

/** Asks for confirmation of a refused bulk command, on the images that match now. */
export function TotalChanged({ refused, onConfirm, onClose }: Props) {
  const texts = refused && TEXTS[refused.command.what];
  const seen = imagesText(refused?.seen.count ?? 0);
  const total = imagesText(refused?.total ?? 0);
  return (
    <ConfirmModal
      opened={refused !== undefined}
      title={t`The list has changed`}
      confirm={texts ? i18n._(texts.verb) : ""}
      onConfirm={() => refused && onConfirm(refused)}
      onClose={onClose}
    >
      {refused?.total === refused?.seen.count ? (
        isSameImages(refused) ? (
          t`Nothing was changed. The stage or the assigned user of some of these images has changed since you selected them.`
        ) : (
          t`Nothing was changed. Other images match now than when you selected them.`
        )
      ) : (
        <Trans>
          Nothing was changed. You selected {seen}, but <b>{total}</b> match now.
        </Trans>
      )}{" "}
      {texts?.question(total)}
    </ConfirmModal>
  );
}

const isSameImages = (refused: RefusedCommand | undefined): boolean =>
  refused !== undefined && "filter" in refused.which && refused.which.digest === refused.digest;
