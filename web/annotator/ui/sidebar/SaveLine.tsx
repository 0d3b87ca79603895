import { t } from "@lingui/core/macro";
import { mayHideEdits, type SyncState, subjectsOf } from "../../../sync/journal/syncState";
import { storageText } from "../../../sync/storageText";
import { useEditor, useSaveState } from "../../editor/context";
import classes from "../common/Annotator.module.css";

type Tone = "calm" | "busy" | "waiting" | "urgent";

const looks = (): Record<SyncState["status"], { text: string; tone: Tone }> => ({
  saved: { text: t`Saved`, tone: "calm" },
  saving: { text: t`Saving …`, tone: "busy" },
  "saved here": { text: t`Saved here`, tone: "waiting" },
  offline: { text: t`Offline, saved here`, tone: "waiting" },
  "signed out": { text: t`Not logged in, saved here`, tone: "urgent" },
  "for review": { text: t`Saved on this device for review`, tone: "urgent" },
  failing: { text: t`Sending failed, saved here`, tone: "waiting" },
  conflict: { text: t`Conflict`, tone: "urgent" },
  "not kept": { text: t`Not saved: do not close this tab`, tone: "urgent" },
});

const unreadable = (): { text: string; tone: Tone } => ({ text: t`Storage does not respond`, tone: "urgent" });

/** Line with the save state and the number of pending edits or conflicts, coloured if the user should notice. */
export function SaveLine() {
  const { ui } = useEditor();
  const state = useSaveState();
  const { status, pending, conflicts } = state;
  const isUncertain = mayHideEdits(state);
  const { text, tone } = isUncertain ? unreadable() : looks()[status];
  const isConflict = status === "conflict";
  const count = isConflict ? subjectsOf(conflicts).length : tone === "calm" || tone === "busy" ? 0 : pending;
  return (
    <div className={classes.saveLine} data-tone={tone}>
      <span className={classes.saveDot} />
      <span role="status" data-save-state={status} title={isUncertain ? storageText() : undefined}>
        {text}
      </span>
      {count > 0 && <span className={classes.saveCount}>{isConflict ? count : t`${count} pending`}</span>}
      {isConflict && (
        <button type="button" className={classes.saveAction} onClick={() => ui.open({ kind: "conflicts" })}>
          {t`Resolve`}
        </button>
      )}
    </div>
  );
}
