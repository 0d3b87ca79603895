import { useRef } from "react";
import { useStore } from "zustand";
import type { ImageSummary } from "../../../shared/entities/image";
import type { Editor } from "../../annotator/editor/editor";

export interface Marks {
  annotated: boolean;
  done: boolean;
}

/** Time that the server's lists may take to have an edit, in milliseconds. */
const LATE_MS = 3_000;

/**
 * Returns a function that tells of a listed image, and the time when it was loaded, if it is annotated and done. Images that were open here are shown as
 * they were left, until they are loaded again.
 */
export function useMarks({ document }: Editor): (image: ImageSummary, loadedAt: number) => Marks {
  const known = useRef(new Map<number, Marks & { at: number }>());
  const id = useStore(document.store, (state) => state.image.id);
  const done = useStore(document.store, (state) => state.image.done);
  const annotated = useStore(document.store, (state) => state.annotations.size > 0);
  known.current.set(id, { annotated, done, at: Date.now() });
  return (image, loadedAt) => {
    const left = known.current.get(image.id);
    return left && (image.id === id || loadedAt < left.at + LATE_MS) ? left : image;
  };
}
