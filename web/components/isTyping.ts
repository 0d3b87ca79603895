/** Elements in which typing means text, not commands. */
const TYPING = "input:not([type=checkbox], [type=radio], [type=range]), textarea, select, [contenteditable]";
/** Selectors of popovers, and of what opened them: keys are for these alone. */
const OPEN = "[role='dialog'], [role='menu'], [role='listbox'], [aria-haspopup][aria-expanded='true']";

/** Presses that came as typing, whatever has become of the field or dialog since. */
const typed = new WeakSet<Event>();

// Before everybody else: a dialog that Escape closes is gone when a later listener sees the same press.
if (typeof window !== "undefined")
  window.addEventListener("keydown", (event) => isTypingIn(event.target) && typed.add(event), { capture: true });

/** Returns true if this key writes or chooses something, or is for a dialog or a menu: then it is no shortcut of the page. */
export const isTyping = (event: Event): boolean => typed.has(event) || isTypingIn(event.target);

const isTypingIn = (target: EventTarget | null): boolean => isIn(target, TYPING) || isIn(target, OPEN) || isInDialog();

const isInDialog = (): boolean => document.querySelector("[role='dialog'][aria-modal='true']") !== null;

const isIn = (target: EventTarget | null, selector: string): boolean =>
  target instanceof Element && target.closest(selector) !== null;
