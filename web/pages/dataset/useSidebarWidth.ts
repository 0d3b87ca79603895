import { useState } from "react";
import { SIDEBAR } from "../../../shared/constants";
import { isNumber, recall, remember } from "../../io/storage/localStore";

const KEY = "dataset.sidebar";

/** The sidebar's width in pixels: remembered, within what the specification allows for this window. */
export function useSidebarWidth() {
  const [width] = useState(() => {
    const wanted = recall(KEY, isNumber) ?? Math.max(COMFORTABLE_PX, window.innerWidth * SIDEBAR.defaultShare);
    return clampSidebar(wanted, window.innerWidth);
  });
  /** The first size is told as well: only a change is somebody's wish. */
  const handleResize = (now: { inPixels: number }, _id: unknown, before: { inPixels: number } | undefined) => {
    // For the style of what stands beside the sidebar and is no part of the page: toasts.
    document.body.style.setProperty("--sidebar-width", `${now.inPixels}px`);
    if (before && before.inPixels !== now.inPixels) remember(KEY, Math.round(now.inPixels));
  };
  return { width, min: SIDEBAR.minPx, max: `${SIDEBAR.maxShare * 100}%`, handleResize };
}

/** A fifth of a small window would cut the buttons' words. */
const COMFORTABLE_PX = 200;

export function clampSidebar(width: number, windowWidth: number): number {
  return Math.max(SIDEBAR.minPx, Math.min(width, windowWidth * SIDEBAR.maxShare));
}
