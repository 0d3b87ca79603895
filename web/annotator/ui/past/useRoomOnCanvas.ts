import { type RefObject, useLayoutEffect, useRef } from "react";
import { useEditor } from "../../editor/context";

/** Makes room on the canvas for the panel with the returned ref, as long as it is mounted. */
export function useRoomOnCanvas(): RefObject<HTMLElement | null> {
  const { view } = useEditor();
  const panel = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const element = panel.current!;
    const observer = new ResizeObserver(() => view.cover(coveredBy(element)));
    observer.observe(element);
    if (element.offsetParent) observer.observe(element.offsetParent);
    return () => {
      observer.disconnect();
      view.uncover();
    };
  }, [view]);
  return panel;
}

/**
 * Returns the strip below the panel's upper edge if it is as wide as the canvas, otherwise the one to its right edge.
 */
function coveredBy({ offsetParent, offsetLeft, offsetTop, offsetWidth }: HTMLElement) {
  const { clientWidth = 0, clientHeight = 0 } = offsetParent ?? {};
  const right = offsetLeft + offsetWidth;
  const isAcross = right + offsetLeft >= clientWidth;
  return isAcross ? { left: 0, bottom: clientHeight - offsetTop } : { left: right, bottom: 0 };
}
