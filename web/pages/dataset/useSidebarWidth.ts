import { useState } from "react";
import { SIDEBAR } from "../../../shared/constants";
import { isNumber, recall, remember } from "../../io/storage/localStore";

const KEY = "dataset.sidebar";

/** Returns the remembered sidebar width in pixels, within the limits that the specification sets for this window. */
export function useSidebarWidth() {
  const [width] = useState(() => {
    const wanted = recall(KEY, isNumber) ?? Math.max(COMFORTABLE_PX, window.innerWidth * SIDEBAR.defaultShare);
    return clampSidebar(wanted, window.innerWidth);
  });
  /** Also called with the initial size, which is not remembered because the user did not choose it. */
  const handleResize = (now: { inPixels: number }, _id: unknown, before: { inPixels: number } | undefined) => {
    // Used by the toasts, which are outside the page but appear beside its sidebar.
    document.body.style.setProperty("--sidebar-width", `${now.inPixels}px`);
    if (before && before.inPixels !== now.inPixels) remember(KEY, Math.round(now.inPixels));
  };
  return { width, min: SIDEBAR.minPx, max: `${SIDEBAR.maxShare * 100}%`, handleResize };
}

/** Minimum of the default width. A fifth of a small window would cut off the buttons' texts. */
const COMFORTABLE_PX = 200;

export function clampSidebar(width: number, windowWidth: number): number {
  return Math.max(SIDEBAR.minPx, Math.min(width, windowWidth * SIDEBAR.maxShare));
}
