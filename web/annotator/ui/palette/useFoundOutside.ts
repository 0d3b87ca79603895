import { useDebouncedValue } from "@mantine/hooks";
import { useSearchParams } from "react-router-dom";
import type { ImageSummary } from "../../../../shared/entities/image";
import { useAnnotation, useImagesByName } from "../../../queries/dataset";
import { useDocument } from "../../editor/context";

/** Pause in typing after which images are searched, in milliseconds. */
const PAUSE_MS = 200;

/** Results of a search outside the open image. */
export interface FoundOutside {
  images: readonly ImageSummary[];
  /** The annotation of another image whose id is the text. */
  annotation: { id: number; uuid: string; image_id: number } | null;
}

export const NOTHING_OUTSIDE: FoundOutside = { images: [], annotation: null };

type Search =
  | { state: "loading" }
  | { state: "failed"; error: unknown; retry: () => void }
  | ({ state: "loaded" } & FoundOutside);

/**
 * Searches the images of the list by name, and for an annotation of another image by its id, once typing has paused.
 * Both are there at the same time, because the one that arrives later would move the other.
 */
export function useFoundOutside(text: string): Search {
  const { id, dataset_id } = useDocument((state) => state.image);
  const [context] = useSearchParams();
  const wanted = text.trim();
  const [asked] = useDebouncedValue(wanted, PAUSE_MS);
  const isId = /^[1-9]\d{0,8}$/.test(asked);
  const images = useImagesByName(dataset_id, Object.fromEntries(context), asked);
  const annotation = useAnnotation(isId ? Number(asked) : null);
  if (wanted === "") return { state: "loaded", ...NOTHING_OUTSIDE };
  const failed = [images, ...(isId ? [annotation] : [])].filter((one) => one.state === "failed");
  if (asked === wanted && failed[0])
    return { state: "failed", error: failed[0].error, retry: () => failed.forEach((one) => void one.retry()) };
  const isLoaded = images.state === "loaded" && (!isId || annotation.state === "loaded");
  if (asked !== wanted || !isLoaded) return { state: "loading" };
  const elsewhere = isId && annotation.state === "loaded" ? annotation.data : null;
  return {
    state: "loaded",
    images: images.data.filter((image) => image.id !== id),
    annotation: elsewhere?.image_id === id ? null : elsewhere,
  };
}
