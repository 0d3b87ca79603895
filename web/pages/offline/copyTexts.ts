import { plural, t } from "@lingui/core/macro";
import { formatBytes } from "../../components/formatBytes";
import { numberText } from "../../languages/formats";
import { serverText } from "../../languages/serverText";
import type { CopyProgress, Estimate } from "../../offline/copy/copiesState";
import type { Choice } from "../../offline/copy/records";

/** Texts about copies of datasets. */

export const countText = (count: number): string => plural(count, { one: "# image", other: "# images" });

function partText({ total, here }: CopyProgress["images"]): string {
  if (here === total) return countText(total);
  const part = numberText(here);
  return plural(total, { one: `${part} of # image`, other: `${part} of # images` });
}

/** Returns the state of a copy in a few words, e.g. "Downloading 3 of 128 images". */
export function stateText({ state, images, problem }: CopyProgress): string {
  const part = partText(images);
  switch (state) {
    case "waiting":
      return images.here === images.total ? t`Waiting to update` : t`Waiting to download`;
    case "running":
      return images.here === images.total ? t`Updating` : t`Downloading ${part}`;
    case "paused":
      return t`Paused at ${part}`;
    case "failed":
      return problem ? serverText(problem) : t`The download failed.`;
    case "complete":
      return t`Available offline`;
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
  const [part, here, total] = [partText(images), formatBytes(bytes.here), formatBytes(bytes.total)];
  return bytes.here >= bytes.total ? `${part}, ${here}` : t`${part}, ${here} of ${total}`;
}

/** Returns the user's choice as text, e.g. "All images, original files". */
export function choiceText({ form, ids }: Choice): string {
  const which = ids === null ? t`All images` : countText(ids.length);
  return form === "original" ? t`${which}, original files` : t`${which}, display size`;
}

/** Returns the size of a choice, e.g. "128 images, about 412 MB". */
export function estimateText({ images, bytes }: Estimate): string {
  const size = formatBytes(bytes);
  return plural(images, { one: `# image, about ${size}`, other: `# images, about ${size}` });
}

/** Returns the free storage of this browser as text; undefined if unknown. */
export function roomText({ free }: Estimate): string | undefined {
  if (free === null) return undefined;
  const room = formatBytes(Math.max(0, free));
  return t`${room} free in this browser`;
}

/** Returns true if a choice needs more storage than is free. `kept`: bytes of the choice that are in this browser. */
export const isTooLarge = ({ bytes, free }: Estimate, kept: number): boolean => free !== null && bytes - kept > free;
