import { useSaveState } from "../../editor/context";

const TEXTS = {
  saved: "Saved",
  saving: "Saving …",
  "saved here": "Saved here",
  offline: "Offline, saved here",
  "signed out": "Not logged in, saved here",
  "for review": "Kept on this device for review",
  failing: "Sending failed, saved here",
  conflict: "Conflict",
  "not kept": "Not kept: do not close this tab",
} as const;

/** The same as the save button says, in words; told to screen readers when it changes. */
export function SaveLine() {
  const { status } = useSaveState();
  return (
    <span role="status" data-save-state={status}>
      {TEXTS[status]}
    </span>
  );
}
