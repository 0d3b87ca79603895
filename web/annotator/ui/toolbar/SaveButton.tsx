import { t } from "@lingui/core/macro";
import { CloudAlert, CloudCheck, CloudOff, CloudUpload, HardDrive, LogIn, TriangleAlert } from "lucide-react";
import { mayHideEdits, type SyncState, subjectsOf } from "../../../sync/journal/syncState";
import { storageText } from "../../../sync/storageText";
import { useEditor, useSaveState } from "../../editor/context";
import type { KeySet } from "../../keyboard/keyReading";
import { BarButton } from "./BarButton";

const notKept = () => t`This browser cannot save your work. Keep this tab open until it is sent`;

const looks = (): Record<SyncState["status"], { icon: typeof CloudCheck; color: string; text: string }> => ({
  saved: { icon: CloudCheck, color: "green", text: t`Saved on the server` },
  saving: { icon: CloudUpload, color: "blue", text: t`Saving` },
  "saved here": { icon: HardDrive, color: "yellow", text: t`Saved here, not on the server yet` },
  offline: { icon: CloudOff, color: "yellow", text: t`Offline: saved here until the server is back` },
  "signed out": { icon: LogIn, color: "red", text: t`Saved here until you log in again` },
  "for review": {
    icon: TriangleAlert,
    color: "red",
    text: t`Saved on this device: the server's data was restored or replaced`,
  },
  failing: {
    icon: CloudAlert,
    color: "yellow",
    text: t`Saved here: the server returns errors; trying again`,
  },
  "not kept": { icon: TriangleAlert, color: "red", text: notKept() },
  conflict: { icon: TriangleAlert, color: "red", text: t`Conflict: choose which version stays` },
});

const unreadable = () => ({ icon: TriangleAlert, color: "red", text: storageText() });

/** Button that shows where the work is stored. A press saves now, or opens the conflicts. */
export function SaveButton({ keys }: { keys?: readonly KeySet[] }) {
  const { saving, ui } = useEditor();
  const state = useSaveState();
  const { status, pending, conflicts, memoryOnly } = state;
  const { icon, color, text } = mayHideEdits(state) ? unreadable() : looks()[status];
  const count = status === "conflict" ? subjectsOf(conflicts).length : pending;
  const label = memoryOnly ? notKept() : text;
  return (
    <BarButton
      label={count > 0 ? `${label} (${count})` : label}
      keys={keys}
      icon={memoryOnly ? TriangleAlert : icon}
      color={memoryOnly ? "red" : color}
      onClick={() => (status === "conflict" ? ui.open({ kind: "conflicts" }) : void saving.save())}
    />
  );
}
