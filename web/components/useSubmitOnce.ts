import type { UseMutationResult } from "@tanstack/react-query";
import { useEffect, useRef } from "react";

/**
 * Submits the form of a dialog once: a second Enter comes before `isPending` is rendered, and a dialog that fades out still
 * has its form. It may be submitted again when it has failed, when `onSuccess` answers false (nothing came of it), and
 * when the dialog is opened again. `opened`: false where the dialog is closed and stays in the tree.
 */
export function useSubmitOnce<Data, Failure, Variables>(
  { mutate }: Pick<UseMutationResult<Data, Failure, Variables>, "mutate">,
  opened = true,
): (variables: Variables, onSuccess?: (data: Data) => unknown) => void {
  const isSent = useRef(false);
  useEffect(() => {
    if (opened) isSent.current = false;
  }, [opened]);
  return (variables, onSuccess) => {
    if (!opened || isSent.current) return;
    isSent.current = true;
    mutate(variables, {
      onSuccess: (data) => {
        if (onSuccess?.(data) === false) isSent.current = false;
      },
      onError: () => {
        isSent.current = false;
      },
    });
  };
}
