import { t } from "@lingui/core/macro";
import { notifications, notificationsStore } from "@mantine/notifications";
import { RequestError } from "../../io/http/request";
import { SessionEnded, sessionSignal } from "../../io/http/sessionCalls";
import { serverText } from "../../languages/serverText";
import { ActionMessage } from "./ActionMessage";

/** Toasts appear at the bottom left: a title, and a message below it that may have several lines. */

const look = () => ({
  styles: { description: { whiteSpace: "pre-line", color: "var(--mantine-color-text)" } as const },
  closeButtonProps: { "aria-label": t`Close message` },
});

export function showError(error: unknown): void {
  if (!(error instanceof SessionEnded)) showFailure(titleOf(error), messageOf(error));
}

/** Hides the toast of an error, because the form that it is about was closed or sent again. */
export const hideError = (error: unknown): void => hideToast(idOf(titleOf(error), messageOf(error)));

const titleOf = (error: unknown): string => (error instanceof RequestError ? serverText(error.title) : t`Error`);
const idOf = (title: string, message: string): string => `${title}|${message}`;

export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (!(error instanceof RequestError)) return error.message;
  const isGone = error.status === 404 && /^Invalid \w+ id$/.test(error.message);
  const { retryAfter: seconds } = error;
  const message = serverText(error.message);
  if (isGone) return t`${message}. Another user may have deleted this, or you no longer have access to it.`;
  return seconds === null ? message : t`${message} Try again in ${seconds} s.`;
}

/** Shows an error. Repeating it shows no second toast. */
export function showFailure(title: string, message: string): void {
  notifications.show({ id: idOf(title, message), color: "red", title, message, autoClose: 10_000, ...look() });
}

/** Hides earlier errors with this title, once the action has succeeded. */
export function hideFailures(title: string): void {
  const shown = serverText(title);
  for (const { id } of notificationsStore.getState().notifications) if (id?.startsWith(`${shown}|`)) hideToast(id);
}

export function showSuccess(title: string, message: string): void {
  notifications.show({ color: "green", title, message, ...look() });
}

interface ToastAction {
  label: string;
  onClick: () => void;
  /** False if the action is no undo of what the user has done last, so that Ctrl+Z must not press the button. */
  isUndo?: boolean;
  /** Aborts when the action can no longer have an effect, e.g. because the user has left the image. */
  until?: AbortSignal | undefined;
}

/**
 * Shows a toast with a button, e.g. "Undo". It disappears after a while, when the user's session ends, and when `until`
 * aborts.
 */
export function showWithAction(title: string, message: string, action: ToastAction): void {
  const id = `action ${Math.random()}`;
  const ends = [sessionSignal(), ...(action.until ? [action.until] : [])];
  const hide = () => {
    for (const end of ends) end.removeEventListener("abort", hide);
    hideToast(id);
  };
  if (action.until?.aborted) {
    showSuccess(title, message);
    return;
  }
  for (const end of ends) end.addEventListener("abort", hide);
  let isDone = false;
  const handleAct = () => {
    // The button can still be pressed while the toast fades out.
    if (isDone) return;
    isDone = true;
    hide();
    action.onClick();
  };
  const { label, isUndo = true } = action;
  const content = <ActionMessage {...{ message, label, isUndo }} onAct={handleAct} onEnd={hide} />;
  notifications.show({ id, color: "green", title, message: content, autoClose: false, ...look() });
}

/** Shows a warning. Repeating it shows no second toast. `onClose` is called when the toast has disappeared. */
export function showWarning(title: string, message: string, id = idOf(title, message), onClose?: () => void): void {
  notifications.show({ id, color: "yellow", title, message, ...(onClose && { onClose }), ...look() });
}

export const hideToast = (id: string): void => void notifications.hide(id);
