/** Fields that the user has changed since they appeared on the page. */
let changed: WeakRef<HTMLInputElement | HTMLTextAreaElement>[] = [];

/** Starts to record which fields of the page the user changes. Returns a function that stops it. */
export function trackTyping(): () => void {
  const handleInput = ({ target }: Event) => {
    const isField = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;
    if (isField && !changed.some((known) => known.deref() === target)) changed.push(new WeakRef(target));
  };
  document.addEventListener("input", handleInput, true);
  return () => document.removeEventListener("input", handleInput, true);
}

/**
 * Returns true if an open form has unsent input. In a dialog, any changed field counts, because the dialog closes
 * when its form is sent. On a page, only a changed field with text counts, because the form is cleared when it is
 * sent.
 */
export function hasTypedText(): boolean {
  changed = changed.filter((known) => known.deref()?.isConnected);
  return changed.some((known) => {
    const field = known.deref();
    return field && (field.closest("[role=dialog]") || (field.form && field.value !== ""));
  });
}
