import { t } from "@lingui/core/macro";
import { useState } from "react";
import { ConfirmModal } from "../../components/messages/ConfirmModal";
import { showError } from "../../components/messages/toast";
import { useIsAway } from "../../components/offline/away";
import type { Copies } from "../../offline/copies";
import { usePendingEdits } from "./usePendingEdits";

interface Target {
  datasetId: number;
  name: string;
}

/**
 * Returns a function that removes a copy, and the question to render. Asks only if edits are pending or may be, or if
 * the server is away, so that the images could not be downloaded again.
 */
export function useRemoveCopy(copies: Copies | undefined) {
  const [asked, setAsked] = useState<Target>();
  const isAway = useIsAway();
  const pending = usePendingEdits()?.pending;
  const remove = (datasetId: number) => void copies?.remove(datasetId).catch(showError);
  const handleRemove = (target: Target) => {
    if (isAway || pending !== 0) setAsked(target);
    else remove(target.datasetId);
  };
  const name = asked?.name ?? "";
  const question = (
    <ConfirmModal
      opened={asked !== undefined}
      title={t`Remove the offline copy?`}
      confirm={t`Remove`}
      onConfirm={() => {
        if (asked) remove(asked.datasetId);
        setAsked(undefined);
      }}
      onClose={() => setAsked(undefined)}
    >
      {isAway
        ? t`Limn is offline. Without the copy, the images of ${name} cannot be opened until the server can be reached again.`
        : t`The copy of ${name} is removed from this browser.`}
      {pending !== undefined &&
        pending > 0 &&
        ` ${t`Your changes that are not on the server yet are kept and will be sent.`}`}
    </ConfirmModal>
  );
  return { remove: handleRemove, question };
}
