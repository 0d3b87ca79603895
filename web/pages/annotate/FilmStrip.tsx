import { t } from "@lingui/core/macro";
import { ChevronDown } from "lucide-react";
import { type KeyboardEvent, useEffect, useLayoutEffect, useRef, useState } from "react";
import { useStore } from "zustand";
import type { Editor } from "../../annotator/editor/editor";
import { LIST_PIECE, usePlace } from "../../queries/imageList";
import classes from "./FilmStrip.module.css";
import { StripPiece } from "./StripPiece";
import { piecesOf, shownRange, stripWindow } from "./stripWindow";
import { useMarks } from "./useMarks";

/** Width of an image of the strip with the gap after it, in CSS pixels. */
const STEP = 84;

interface Props {
  /** The editor of the open image, or of the last one while the next is loaded. */
  editor: Editor;
  /** The open image. */
  imageId: number;
  /** Query parameters of the list that previous and next follow. */
  list: Record<string, string>;
  onGo: (imageId: number) => void;
}

/** Thumbnails of the list, below the image. Only the thumbnails in view are in the page and loaded. */
export function FilmStrip(props: Props) {
  const { editor, imageId, list } = props;
  const isShown = useStore(editor.viewToggles.store, ({ filmStrip }) => filmStrip);
  const datasetId = useStore(editor.document.store, (state) => state.dataset.id);
  const place = usePlace(datasetId, imageId, list);
  const known = place.state === "loaded" ? place.data : place.state === "loading" ? place.previous?.data : undefined;
  if (!isShown) return null;
  // The strip is shown before its images load, so that the canvas does not change its size under the pointer.
  return (
    <section className={classes.strip} aria-label={t`Images of the list`}>
      {known && known.total > 0 && <Strip {...props} datasetId={datasetId} before={known.before} total={known.total} />}
      <button
        type="button"
        className={classes.hide}
        aria-label={t`Hide the film strip`}
        title={t`Hide the film strip (F)`}
        onClick={() => editor.viewToggles.toggle("filmStrip")}
      >
        <ChevronDown size={14} />
      </button>
    </section>
  );
}

/** The images of the strip. */
function Strip({ editor, imageId, list, onGo, datasetId, before, total }: Props & Place & { datasetId: number }) {
  const scroller = useRef<HTMLDivElement>(null);
  const { start, count } = stripWindow(before, total);
  const [view, setView] = useState({ left: Math.max(0, (before - start) * STEP - 500), width: 1000 });
  const range = shownRange(view, STEP, count);
  const marksOf = useMarks(editor);
  const [focused, setFocused] = useState<number | null>(null);
  /** True from a key press until the image that it moves to has the focus. */
  const isFocusDue = useRef(false);
  const inTabOrder = focused ?? before;

  useLayoutEffect(() => {
    const element = scroller.current!;
    const measure = () => setView({ left: element.scrollLeft, width: element.clientWidth });
    const resized = new ResizeObserver(measure);
    resized.observe(element);
    element.addEventListener("scroll", measure, { passive: true });
    return () => {
      resized.disconnect();
      element.removeEventListener("scroll", measure);
    };
  }, []);
  useLayoutEffect(() => {
    const element = scroller.current!;
    setFocused(null);
    element.scrollLeft = (before - start) * STEP - (element.clientWidth - STEP) / 2;
  }, [before, start]);
  useEffect(() => {
    if (focused === null) return;
    const element = scroller.current!;
    const left = (focused - start) * STEP;
    if (left < element.scrollLeft) element.scrollLeft = left;
    if (left + STEP > element.scrollLeft + element.clientWidth) element.scrollLeft = left + STEP - element.clientWidth;
  }, [focused, start]);
  useEffect(() => {
    if (!isFocusDue.current) return;
    // The image is in the page only after the strip has scrolled to it.
    const image = scroller.current!.querySelector<HTMLElement>(`[data-index="${focused}"]`);
    if (!image) return;
    isFocusDue.current = false;
    image.focus({ preventScroll: true });
  });

  const handleKeyDown = (event: KeyboardEvent) => {
    const to = keyTarget(event.key, inTabOrder, { first: start, last: start + count - 1 });
    if (to === undefined) return;
    event.preventDefault();
    isFocusDue.current = true;
    setFocused(to);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys are pressed on the images
    <div ref={scroller} className={classes.scroller} onKeyDown={handleKeyDown}>
      <div className={classes.all} style={{ width: count * STEP }}>
        {piecesOf(start + range.from, start + range.to, LIST_PIECE).map((piece) => (
          <StripPiece
            key={piece.index}
            {...{ datasetId, list, total, imageId, inTabOrder, marksOf, onGo }}
            piece={piece.index}
            from={piece.from}
            to={piece.to}
            leftOf={(index) => (index - start) * STEP}
            onFocus={setFocused}
          />
        ))}
      </div>
    </div>
  );
}

interface Place {
  before: number;
  total: number;
}

/** Returns the index that a key moves the focus to; undefined for other keys. */
function keyTarget(key: string, from: number, { first, last }: { first: number; last: number }): number | undefined {
  switch (key) {
    case "ArrowLeft":
      return Math.max(first, from - 1);
    case "ArrowRight":
      return Math.min(last, from + 1);
    case "Home":
      return first;
    case "End":
      return last;
    default:
      return undefined;
  }
}
