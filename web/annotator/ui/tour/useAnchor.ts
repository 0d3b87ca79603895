import { useEffect, useState } from "react";

/** A place on the page, in CSS pixels of the window. */
export interface Place {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** Returns the place of the first visible element that matches, updated in every frame; undefined if none matches. */
export function useAnchor(selector: string): Place | undefined {
  const [place, setPlace] = useState<Place>();
  useEffect(() => {
    let frame = 0;
    const look = () => {
      const next = placeOf(selector);
      setPlace((before) => (isSame(before, next) ? before : next));
      frame = requestAnimationFrame(look);
    };
    look();
    return () => cancelAnimationFrame(frame);
  }, [selector]);
  return place;
}

function placeOf(selector: string): Place | undefined {
  for (const element of document.querySelectorAll(selector)) {
    const { left, top, width, height } = element.getBoundingClientRect();
    const isOnScreen = width > 0 && height > 0 && left < window.innerWidth && top < window.innerHeight;
    if (isOnScreen && element.checkVisibility()) return { left, top, width, height };
  }
  return undefined;
}

const isSame = (a: Place | undefined, b: Place | undefined): boolean =>
  a?.left === b?.left && a?.top === b?.top && a?.width === b?.width && a?.height === b?.height;
