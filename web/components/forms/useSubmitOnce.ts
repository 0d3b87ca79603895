import type { UseMutationResult } from "@tanstack/react-query";
import { useEffect, useRef } from "react";

type Mutation<Data, Failure, Variables> = Pick<UseMutationResult<Data, Failure, Variables>, "mutateAsync" | "reset">;

/**
 * Sends a form. `onSuccess` is called while the form is still open as it was when it was sent; if it returns false, the
 * form stays, and may be sent again. `onLate` is called instead when the form has been left meanwhile.
 */
type Submit<Data, Variables> = (
  variables: Variables,
  onSuccess?: (data: Data) => unknown,
  onLate?: (data: Data) => void,
) => void;

/**
 * Lets a form own its call. It is submitted once: a second Enter comes before `isPending` is rendered, and a dialog that
 * fades out still has its form. It may be submitted again when it has failed. The response to a form that was left (closed,
 * or opened again) does nothing to the one that is open now. `opened`: false where the dialog is closed and stays in the
 * tree.
 */
export function useSubmitOnce<Data, Failure, Variables>(
  { mutateAsync, reset }: Mutation<Data, Failure, Variables>,
  opened = true,
): Submit<Data, Variables> {
  /** The form that is open: a new object for each opening. */
  const open = useRef<{ isSent: boolean } | undefined>(undefined);
  useEffect(() => {
    if (!opened) return;
    open.current = { isSent: false };
    return () => {
      open.current = undefined;
      reset();
    };
  }, [opened, reset]);
  return (variables, onSuccess, onLate) => {
    const form = open.current;
    if (!form || form.isSent) return;
    form.isSent = true;
    mutateAsync(variables).then(
      (data) => {
        if (open.current !== form) onLate?.(data);
        else if (onSuccess?.(data) === false) form.isSent = false;
      },
      () => {
        // The mutation's own `onError` has shown it.
        form.isSent = false;
      },
    );
  };
}
