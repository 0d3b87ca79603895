import { download } from "../../io/http/download";
import type { ReviewGroup } from "../../sync/review/groups";

/** Lets the browser download groups with all that is known of them: edits as they were made, in order. */
export function exportGroups(groups: readonly ReviewGroup[], username: string): void {
  const changes = groups.map(({ journal, imageId, place, rows }) => ({ journal, image_id: imageId, place, rows }));
  const text = JSON.stringify({ limn: "pending edits", username, changes }, null, 2);
  const address = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  download(address, "pending-edits.json");
  // The browser reads the address when the download begins, which is later.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
