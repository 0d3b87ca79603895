import { t } from "@lingui/core/macro";
import { Modal, type ModalProps } from "@mantine/core";
import { useLayoutEffect, useMemo, useState } from "react";
import { same } from "../../../shared/edits/same";
import { FormState, useFormState } from "../formState";
import { ConfirmModal } from "../messages/ConfirmModal";

interface Props extends ModalProps {
  /** False while the dialog shows something other than the form. */
  isForm?: boolean;
}

/**
 * A dialog that contains a form. Once the user has changed a value, a click outside no longer closes the dialog, and
 * Escape and the close button ask for confirmation, except while the form is being sent, since nothing is lost then.
 */
export function FormModal({
  isForm = true,
  closeOnClickOutside = true,
  closeOnEscape = true,
  onClose,
  ...props
}: Props) {
  const [isChanged, setChanged] = useState(false);
  const [isSent, setSent] = useState(false);
  const [wantsToLeave, setWantsToLeave] = useState(false);
  const mayLose = isForm && isChanged && !isSent && props.opened;
  // The question stays even if the form becomes unchanged again, since a field may correct its value on blur.
  if (wantsToLeave && !(isForm && props.opened && !isSent)) setWantsToLeave(false);
  const handleClose = () => {
    if (mayLose) setWantsToLeave(true);
    else onClose();
  };
  const handleDiscard = () => {
    setWantsToLeave(false);
    onClose();
  };
  const state = useMemo(() => ({ setChanged, setSent }), []);
  return (
    <FormState value={state}>
      <Modal
        {...props}
        onClose={handleClose}
        closeOnClickOutside={closeOnClickOutside && !isChanged}
        // Escape in the question must not close the form, too.
        closeOnEscape={closeOnEscape && !wantsToLeave}
        trapFocus={!wantsToLeave}
      />
      {/* Mounted only while it is open: its key listener would hear the Escape that opens it. */}
      {wantsToLeave && (
        <ConfirmModal
          opened
          title={t`Discard your changes?`}
          confirm={t`Discard`}
          cancel={t`Keep editing`}
          onConfirm={handleDiscard}
          onClose={() => setWantsToLeave(false)}
        >
          {t`Your changes in this form have not been saved yet.`}
        </ConfirmModal>
      )}
    </FormState>
  );
}

/** Reports the current values (JSON) of the form inside a `FormModal`. */
export function useFormValues(values: unknown): void {
  const { setChanged } = useFormState();
  const [first] = useState(values);
  const isChanged = !same(first, values);
  // Before the next event: a click outside, right after the first key, would close the dialog.
  useLayoutEffect(() => {
    setChanged(isChanged);
    return () => setChanged(false);
  }, [setChanged, isChanged]);
}
