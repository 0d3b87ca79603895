import { expect, it } from "vitest";
import { offlineText, pendingText, sentText, syncedText } from "../../../../../web/pages/shell/notices/offlineText";

it("the line names the start of the outage, the pending changes and the last update of the copies", () => {
  expect(offlineText("14:05", [pendingText(3), syncedText("13:58")])).toBe(
    "Offline since 14:05 · 3 changes pending · Last synced 13:58",
  );
  expect(offlineText("14:05", [pendingText(1)])).toBe("Offline since 14:05 · 1 change pending");
  expect(offlineText(null, [pendingText(0)])).toBe("Offline · No changes pending");
});

it("the message after a reconnect counts what was sent, and is left out if nothing was", () => {
  expect(sentText(0, 0)).toBeUndefined();
  expect(sentText(1, 0)).toBe("1 change made offline was sent.");
  expect(sentText(4, 1)).toBe("4 changes made offline were sent. 1 change is in conflict.");
  expect(sentText(0, 2)).toBe("2 changes are in conflict.");
});
