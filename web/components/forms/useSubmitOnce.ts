import type { UseMutationResult } from "@tanstack/react-query";
import { useLayoutEffect, useRef } from "react";
import { hideError } from "../messages/toast";

type Mutation<Data, Failure, Variables> = Pick<UseMutationResult<Data, Failure, Variables>, "mutateAsync" | "reset">;

/**
 * Sends a form. If the form is still open when the response arrives, `onSuccess` is called; returning false keeps the
 * form open so that it may be sent again. If it was closed before, `onLate` is called instead, so that the user learns
 * of what could not be stopped. Each is null only if the page itself shows the outcome.
 */
type Submit<Data, Variables> = (
  variables: Variables,
  onSuccess: ((data: Data) => unknown) | null,
  onLate: ((data: Data) => void) | null,
) => void;

/**
 * Returns a submit function that sends a form only once, until it fails. `isPending` alone is not enough: a second
 * Enter may arrive before it is rendered, and a dialog that fades out still has its form. The response to a form that
 * was closed, or closed and opened again, does not affect the open form. The toast of a failure disappears when the
 * form is sent again or closed. Pass `opened` for a dialog that stays mounted while closed.
 */
export function useSubmitOnce<Data, Failure, Variables>(
  { mutateAsync, reset }: Mutation<Data, Failure, Variables>,
  opened = true,
): Submit<Data, Variables> {
  /** The open form; a new object each time the dialog opens. */
  const open = useRef<{ isSent: boolean; failure?: unknown } | undefined>(undefined);
  // A response may arrive right after the form has closed, before effects that wait for a paint.
  useLayoutEffect(() => {
    if (!opened) return;
    open.current = { isSent: false };
    return () => {
      hideError(open.current?.failure);
      open.current = undefined;
      reset();
    };
  }, [opened, reset]);
  return (variables, onSuccess, onLate) => {
    const form = open.current;
    if (!form || form.isSent) return;
    form.isSent = true;
    hideError(form.failure);
    mutateAsync(variables).then(
      (data) => {
        if (open.current !== form) onLate?.(data);
        else if (onSuccess?.(data) === false) form.isSent = false;
      },
      (failure: unknown) => {
        // The mutation's `onError` has already shown the error.
        form.isSent = false;
        form.failure = failure;
      },
    );
  };
}
