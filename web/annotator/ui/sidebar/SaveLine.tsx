import { useSaveState } from "../../editor/context";

const TEXTS = {
  saved: "Saved",
  saving: "Saving …",
  "saved here": "Saved here",
  offline: "Offline, saved here",
  "signed out": "Not logged in, saved here",
  "for review": "Saved on this device for review",
  failing: "Sending failed, saved here",
  conflict: "Conflict",
  "not kept": "Not saved: do not close this tab",
} as const;

/** Text for the save state, announced to screen readers when it changes. */
export function SaveLine() {
  const { status } = useSaveState();
  return (
    <span role="status" data-save-state={status}>
      {TEXTS[status]}
    </span>
  );
}
