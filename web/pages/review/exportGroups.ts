import { download } from "../../io/http/download";
import type { ReviewGroup } from "../../sync/review/groups";

/** Downloads groups as a JSON file with all their data: the original edits, in order. */
export function exportGroups(groups: readonly ReviewGroup[], username: string): void {
  const changes = groups.map(({ journal, imageId, place, rows }) => ({ journal, image_id: imageId, place, rows }));
  const text = JSON.stringify({ limn: "pending edits", username, changes }, null, 2);
  const address = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  download(address, "pending-edits.json");
  // The browser reads the object URL only when the download starts.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
