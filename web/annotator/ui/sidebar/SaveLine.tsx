import { type SyncState, subjectsOf } from "../../../sync/journal/syncState";
import { useEditor, useSaveState } from "../../editor/context";
import classes from "../common/Annotator.module.css";

type Tone = "calm" | "busy" | "waiting" | "urgent";

const LOOKS: Record<SyncState["status"], { text: string; tone: Tone }> = {
  saved: { text: "Saved", tone: "calm" },
  saving: { text: "Saving …", tone: "busy" },
  "saved here": { text: "Saved here", tone: "waiting" },
  offline: { text: "Offline, saved here", tone: "waiting" },
  "signed out": { text: "Not logged in, saved here", tone: "urgent" },
  "for review": { text: "Saved on this device for review", tone: "urgent" },
  failing: { text: "Sending failed, saved here", tone: "waiting" },
  conflict: { text: "Conflict", tone: "urgent" },
  "not kept": { text: "Not saved: do not close this tab", tone: "urgent" },
};

/** Line with the save state and the number of pending edits or conflicts, coloured if the user should notice. */
export function SaveLine() {
  const { ui } = useEditor();
  const { status, pending, conflicts } = useSaveState();
  const { text, tone } = LOOKS[status];
  const isConflict = status === "conflict";
  const count = isConflict ? subjectsOf(conflicts).length : tone === "calm" || tone === "busy" ? 0 : pending;
  return (
    <div className={classes.saveLine} data-tone={tone}>
      <span className={classes.saveDot} />
      <span role="status" data-save-state={status}>
        {text}
      </span>
      {count > 0 && <span className={classes.saveCount}>{isConflict ? count : `${count} pending`}</span>}
      {isConflict && (
        <button type="button" className={classes.saveAction} onClick={() => ui.open({ kind: "conflicts" })}>
          Resolve
        </button>
      )}
    </div>
  );
}
