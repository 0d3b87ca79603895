import type { UseMutationResult } from "@tanstack/react-query";
import { useEffect, useRef } from "react";

/**
 * Submits the form of a dialog once: a second Enter comes before `isPending` is rendered, and a dialog that fades out still
 * has its form. It may be submitted again when it has failed, and when the dialog is opened again. `opened`: false where
 * the dialog is closed and stays in the tree.
 */
export function useSubmitOnce<Data, Variables>(
  { mutate }: Pick<UseMutationResult<Data, Error, Variables>, "mutate">,
  opened = true,
): (variables: Variables, onSuccess?: (data: Data) => void) => void {
  const isSent = useRef(false);
  const allowAgain = () => {
    isSent.current = false;
  };
  useEffect(() => {
    if (opened) isSent.current = false;
  }, [opened]);
  return (variables, onSuccess) => {
    if (!opened || isSent.current) return;
    isSent.current = true;
    mutate(variables, { onSuccess, onError: allowAgain });
  };
}
