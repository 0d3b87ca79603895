import { useEffect } from "react";
import { trackTyping } from "../../components/forms/typedText";

/** Tracks what the user types, which a reload could lose. Used once, by the shell. */
export function useTypingTracker(): void {
  useEffect(trackTyping, []);
}
