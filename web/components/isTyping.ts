/** Elements in which keys enter text or change a value. */
const TYPING = "input:not([type=checkbox], [type=radio], [type=range]), textarea, select, [contenteditable]";
/** Popovers and the elements that opened them. They handle all keys themselves. */
const OPEN = "[role='dialog'], [role='menu'], [role='listbox'], [aria-haspopup][aria-expanded='true']";

/** Key events that began as typing, even if the field or dialog has closed since. */
const typed = new WeakSet<Event>();

// In the capture phase, before all other listeners: Escape may close a dialog before a later listener sees the event.
if (typeof window !== "undefined")
  window.addEventListener("keydown", (event) => isTypingIn(event.target) && typed.add(event), { capture: true });

/** Returns true if the key goes to a field, a menu or a dialog, so that it must not trigger a shortcut of the page. */
export const isTyping = (event: Event): boolean => typed.has(event) || isTypingIn(event.target);

/**
 * Returns true while the user is at a field or a dialog. A late response must not open another page then, because it
 * would take away what is being typed.
 */
export const isOccupied = (): boolean => isInDialog() || isInField();

/** Returns true while the focus is in a field that belongs to no dialog. False where there is no screen. */
export function isInField(): boolean {
  if (typeof Element === "undefined") return false;
  const focused = document.activeElement;
  return isIn(focused, TYPING) && !isIn(focused, "[role='dialog']");
}

const isTypingIn = (target: EventTarget | null): boolean => isIn(target, TYPING) || isIn(target, OPEN) || isInDialog();

const isInDialog = (): boolean => document.querySelector("[role='dialog'][aria-modal='true']") !== null;

const isIn = (target: EventTarget | null, selector: string): boolean =>
  target instanceof Element && target.closest(selector) !== null;
