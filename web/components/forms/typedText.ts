/** Fields that the user has changed since they came onto the page. */
let changed: WeakRef<HTMLInputElement | HTMLTextAreaElement>[] = [];

/** Follows what the user types, on the whole page. Returns how to end it. */
export function followTyping(): () => void {
  const handleInput = ({ target }: Event) => {
    const isField = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;
    if (isField && !changed.some((known) => known.deref() === target)) changed.push(new WeakRef(target));
  };
  document.addEventListener("input", handleInput, true);
  return () => document.removeEventListener("input", handleInput, true);
}

/**
 * True if a form is open that the user has changed: in a dialog any, for it goes when it is sent; else one with text in it,
 * for a form of a page is emptied then.
 */
export function hasTypedText(): boolean {
  changed = changed.filter((known) => known.deref()?.isConnected);
  return changed.some((known) => {
    const field = known.deref();
    return field && (field.closest("[role=dialog]") || (field.form && field.value !== ""));
  });
}
