import { useEffect } from "react";
import { usePendingEdits } from "../../offline/usePendingEdits";

/** Shows the number of pending edits on the icon of the installed app. Clears it at zero and at logout. */
export function useAppBadge(): void {
  const pending = usePendingEdits()?.pending;
  useEffect(() => {
    if (pending !== undefined) setBadge(pending);
  }, [pending]);
  // The shell unmounts at logout.
  useEffect(() => () => setBadge(0), []);
}

/** Shows a number on the icon. Some browsers lack the methods; others refuse them for pages that are not installed. */
function setBadge(count: number): void {
  if (!("setAppBadge" in navigator)) return;
  const done = count > 0 ? navigator.setAppBadge(count) : navigator.clearAppBadge();
  void done.catch(() => undefined);
}
