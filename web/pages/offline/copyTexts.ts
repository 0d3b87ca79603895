import { formatBytes } from "../../components/formatBytes";
import type { CopyProgress, Estimate } from "../../offline/copy/copiesState";
import type { Choice } from "../../offline/copy/records";

/** Texts about copies of datasets. */

export const countText = (count: number): string => `${count.toLocaleString("en")} ${count === 1 ? "image" : "images"}`;

const partText = ({ total, here }: CopyProgress["images"]): string =>
  here === total ? countText(total) : `${here.toLocaleString("en")} of ${countText(total)}`;

/** Returns the state of a copy in a few words, e.g. "Downloading 3 of 128 images". */
export function stateText({ state, images, problem }: CopyProgress): string {
  switch (state) {
    case "waiting":
      return images.here === images.total ? "Waiting to update" : "Waiting to download";
    case "running":
      return images.here === images.total ? "Updating" : `Downloading ${partText(images)}`;
    case "paused":
      return `Paused at ${partText(images)}`;
    case "failed":
      return problem ?? "The download failed.";
    case "complete":
      return "Available offline";
  }
}

/** Returns the fraction of a copy that is in this browser, 0 to 1. */
export function shareOf({ state, images, bytes }: CopyProgress): number {
  if (state === "complete") return 1;
  const { total, here } = bytes.total > 0 ? bytes : images;
  return total > 0 ? Math.min(1, here / total) : 0;
}

/** Returns the downloaded amount, e.g. "3 of 128 images, 1.2 MB of 90 MB". */
export function sizeText({ images, bytes }: CopyProgress): string {
  const size =
    bytes.here >= bytes.total ? formatBytes(bytes.here) : `${formatBytes(bytes.here)} of ${formatBytes(bytes.total)}`;
  return `${partText(images)}, ${size}`;
}

/** Returns the user's choice as text, e.g. "All images, original files". */
export function choiceText({ form, ids }: Choice): string {
  const which = ids === null ? "All images" : countText(ids.length);
  return `${which}, ${form === "original" ? "original files" : "display size"}`;
}

/** Returns the size of a choice, e.g. "128 images, about 412 MB". */
export const estimateText = ({ images, bytes }: Estimate): string =>
  `${countText(images)}, about ${formatBytes(bytes)}`;

/** Returns the free storage of this browser as text; undefined if unknown. */
export const roomText = ({ free }: Estimate): string | undefined =>
  free === null ? undefined : `${formatBytes(Math.max(0, free))} free in this browser`;

/** Returns true if a choice needs more storage than is free. `kept`: bytes of the choice that are in this browser. */
export const isTooLarge = ({ bytes, free }: Estimate, kept: number): boolean => free !== null && bytes - kept > free;
