import { useCallback } from "react";
import type { Editor } from "../../editor/editor";

/** Frame around the part of the image that is in view. `scale`: CSS pixels of the map for each image pixel. */
export function SeenFrame({ view, scale, className }: { view: Editor["view"]; scale: number; className?: string }) {
  // Follows the view exactly as long as the element exists. An effect would begin and end later than the element.
  const follow = useCallback(
    (element: HTMLDivElement) => {
      // Written to the element, because the view may move in every frame.
      const place = () => {
        const seen = view.seen();
        Object.assign(element.style, {
          left: `${seen.x * scale}px`,
          top: `${seen.y * scale}px`,
          width: `${Math.max(4, seen.width * scale)}px`,
          height: `${Math.max(4, seen.height * scale)}px`,
        });
      };
      place();
      return view.store.subscribe(place);
    },
    [view, scale],
  );
  return <div ref={follow} className={className} />;
}
