import { useRef } from "react";
import { useStore } from "zustand";
import type { ImageSummary, Stage } from "../../../shared/entities/image";
import type { Editor } from "../../annotator/editor/editor";

export interface Marks {
  annotated: boolean;
  done: boolean;
  stage: Stage;
}

/** Maximum time until the server's lists contain an edit, in milliseconds. */
const LATE_MS = 3_000;

/**
 * Returns a function that returns the marks of a listed image, given the time when the list was loaded. An image that
 * was open here keeps the marks that it was left with until the list is loaded again.
 */
export function useMarks({ document }: Editor): (image: ImageSummary, loadedAt: number) => Marks {
  const known = useRef(new Map<number, Marks & { at: number }>());
  const id = useStore(document.store, (state) => state.image.id);
  const done = useStore(document.store, (state) => state.image.done);
  const stage = useStore(document.store, (state) => state.image.stage);
  const annotated = useStore(document.store, (state) => state.annotations.size > 0);
  known.current.set(id, { annotated, done, stage, at: Date.now() });
  return (image, loadedAt) => {
    const left = known.current.get(image.id);
    return left && (image.id === id || loadedAt < left.at + LATE_MS) ? left : image;
  };
}
