import { type PointerEvent, useEffect, useRef, useState } from "react";

/** Time for which the pointer must rest on a thumbnail, in milliseconds: longer than a pass over the grid. */
const REST_MS = 600;
/** Selector of a card's picture, and of the element that names its image. */
const PICTURE = "[data-card-picture]";

/** The image to preview, and the card's picture beside which it is shown. */
export interface Preview {
  id: number;
  card: DOMRect;
}

/**
 * Chooses the image to preview: the one on whose thumbnail the mouse rests, or the one chosen by key. Any press, turn
 * of the wheel or scroll ends the preview. Touch has none, since a finger covers the picture and means to open it.
 */
export function usePreview() {
  const [preview, setPreview] = useState<Preview | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const close = () => {
    clearTimeout(timer.current);
    setPreview(null);
  };
  const open = (picture: Element) => {
    const id = Number(picture.getAttribute("data-card-picture"));
    setPreview({ id, card: picture.getBoundingClientRect() });
  };
  const handleMove = (event: PointerEvent) => {
    if (event.pointerType !== "mouse" || event.buttons !== 0) return close();
    const picture = event.target instanceof Element ? event.target.closest(PICTURE) : null;
    clearTimeout(timer.current);
    if (!picture) return setPreview(null);
    if (preview?.id === Number(picture.getAttribute("data-card-picture"))) return;
    setPreview(null);
    timer.current = setTimeout(() => open(picture), REST_MS);
  };
  /** Shows or hides the preview of the card that has the focus. */
  const toggle = (card: Element) => {
    const picture = card.querySelector(PICTURE);
    const isShown = picture && preview?.id === Number(picture.getAttribute("data-card-picture"));
    clearTimeout(timer.current);
    if (picture && !isShown) open(picture);
    else close();
  };
  const isOpen = preview !== null;
  useEffect(() => {
    if (!isOpen) return;
    const end = () => {
      clearTimeout(timer.current);
      setPreview(null);
    };
    const handleKey = ({ key }: KeyboardEvent) => key === "Escape" && end();
    const events = ["scroll", "wheel", "pointerdown", "resize", "blur"];
    for (const name of events) window.addEventListener(name, end, { capture: true, passive: true });
    window.addEventListener("keydown", handleKey);
    return () => {
      for (const name of events) window.removeEventListener(name, end, { capture: true });
      window.removeEventListener("keydown", handleKey);
    };
  }, [isOpen]);
  useEffect(() => () => clearTimeout(timer.current), []);
  return { preview, close, toggle, handlers: { onPointerMove: handleMove, onPointerLeave: close } };
}
