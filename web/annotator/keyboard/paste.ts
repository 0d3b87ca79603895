import { isTyping } from "../../components/isTyping";

/** Calls `paste` with each text that the user pastes, except into fields. Returns a function that stops listening. */
export function listenToPaste(target: EventTarget, paste: (text: string) => void): () => void {
  const handlePaste = (event: Event) => {
    const text = (event as ClipboardEvent).clipboardData?.getData("text/plain");
    if (text === undefined || event.defaultPrevented || isTyping(event)) return;
    event.preventDefault();
    paste(text);
  };
  target.addEventListener("paste", handlePaste);
  return () => target.removeEventListener("paste", handlePaste);
}
