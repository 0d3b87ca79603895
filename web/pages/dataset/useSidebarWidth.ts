import { useRef, useState } from "react";
import { SIDEBAR } from "../../../shared/constants";
import { isNumber, recall, remember } from "../../io/localStore";

const KEY = "dataset.sidebar";

/** The sidebar's width in pixels: remembered, within what the specification allows for this window. */
export function useSidebarWidth() {
  const element = useRef<HTMLDivElement | null>(null);
  const [width] = useState(() => {
    const wanted = recall(KEY, isNumber) ?? window.innerWidth * SIDEBAR.defaultShare;
    return clampSidebar(Math.max(wanted, recall(KEY, isNumber) === undefined ? COMFORTABLE_PX : 0), window.innerWidth);
  });
  const handleChange = () => {
    const now = element.current?.getBoundingClientRect().width;
    if (now) remember(KEY, Math.round(now));
  };
  return { element, width, min: SIDEBAR.minPx, max: `${SIDEBAR.maxShare * 100}%`, handleChange };
}

/** A fifth of a small window would cut the buttons' words. */
const COMFORTABLE_PX = 200;

export function clampSidebar(width: number, windowWidth: number): number {
  return Math.max(SIDEBAR.minPx, Math.min(width, windowWidth * SIDEBAR.maxShare));
}
