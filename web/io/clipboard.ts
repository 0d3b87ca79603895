/** The clipboard of the system, for text. */
export interface SystemClipboard {
  /** Resolves with false if the browser refuses. Must be called while the user presses a key or a button. */
  write(text: string): Promise<boolean>;
  /** Resolves with null if the browser or the user refuses. */
  read(): Promise<string | null>;
}

/** The clipboard of this browser. A page without https can only write, by a "copy" event. */
export const systemClipboard: SystemClipboard = {
  write: async (text) => {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      return writeByEvent(text);
    }
  },
  read: async () => {
    try {
      return await navigator.clipboard.readText();
    } catch {
      return null;
    }
  },
};

/** Writes text by starting a copy command and setting the data of its "copy" event. */
function writeByEvent(text: string): boolean {
  let isWritten = false;
  const handleCopy = (event: ClipboardEvent) => {
    event.clipboardData?.setData("text/plain", text);
    event.preventDefault();
    isWritten = event.clipboardData !== null;
  };
  document.addEventListener("copy", handleCopy, { capture: true, once: true });
  try {
    return document.execCommand("copy") && isWritten;
  } catch {
    return false;
  } finally {
    document.removeEventListener("copy", handleCopy, { capture: true });
  }
}
