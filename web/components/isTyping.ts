/** Whether a key pressed there writes or chooses something, or a dialog is open: then it is no shortcut of the page. */
export function isTyping(target: EventTarget | null): boolean {
  if (document.querySelector('[role="dialog"], [role="alertdialog"]')) return true;
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement) return target.type !== "checkbox";
  return target.isContentEditable || target.tagName === "TEXTAREA" || target.tagName === "SELECT";
}
