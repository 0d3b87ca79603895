import { type PointerEvent, useEffect, useState } from "react";
import { preventFling } from "../../../components/preventFling";
import { Thumbnail } from "../../../components/Thumbnail";
import { useDocument, useEditor, useViewToggles } from "../../editor/context";
import { SeenFrame } from "../common/SeenFrame";
import classes from "./MiniMap.module.css";

/** Maximum width and height of the map, in CSS pixels. */
const MAX_WIDTH = 160;
const MAX_HEIGHT = 120;
/** Fraction of the image that may be out of view before the map is shown. */
const UNSEEN = 0.02;

/**
 * Small copy of the whole image with a frame around the part in view, shown while some of the image is out of view. A
 * press or drag moves the view.
 */
export function MiniMap() {
  const { view } = useEditor();
  const isOn = useViewToggles().miniMap;
  const image = useDocument((state) => state.image);
  const isPartial = () => {
    const { width, height } = view.seen();
    return width * height < (1 - UNSEEN) * image.width * image.height;
  };
  const [isNeeded, setNeeded] = useState(isPartial);
  useEffect(() => view.store.subscribe(() => setNeeded(isPartial())));
  return isOn && isNeeded ? <MapOfImage id={image.id} width={image.width} height={image.height} /> : null;
}

/** Lets a tap right after a quick drag on the element be a click. */
function keepTaps(element: HTMLElement | null): () => void {
  const shown = new AbortController();
  if (element) preventFling(element, shown.signal);
  return () => shown.abort();
}

function MapOfImage({ id, width, height }: { id: number; width: number; height: number }) {
  const { view } = useEditor();
  const scale = Math.min(MAX_WIDTH / width, MAX_HEIGHT / height);
  const moveTo = ({ clientX, clientY, currentTarget }: PointerEvent) => {
    const { left, top } = currentTarget.getBoundingClientRect();
    view.centre({ x: (clientX - left) / scale, y: (clientY - top) / scale });
  };
  return (
    <div
      ref={keepTaps}
      className={classes.map}
      style={{ width: width * scale, height: height * scale }}
      data-testid="mini-map"
      aria-hidden="true"
      onMouseDown={(event) => event.preventDefault()}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        moveTo(event);
      }}
      onPointerMove={(event) => event.currentTarget.hasPointerCapture(event.pointerId) && moveTo(event)}
    >
      <Thumbnail imageId={id} />
      <SeenFrame view={view} scale={scale} className={classes.seen} />
    </div>
  );
}
