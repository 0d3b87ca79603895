import type { MessageDescriptor } from "@lingui/core";
import { msg } from "@lingui/core/macro";
import { refusals, TITLES } from "./refusals";
import { taskNames } from "./taskNames";

/** English texts that come from the server or from the declarations of its calls. Loaded late, see `serverText.ts`. */

/** Groups of tasks (`shared/entities/task.ts`). */
const GROUPS: Record<string, MessageDescriptor> = {
  "Directory Image Scan": msg`Directory Image Scan`,
  "Image Generation": msg`Image Generation`,
  "Image Upload": msg`Image Upload`,
  "Annotation Import": msg`Annotation Import`,
  "Annotation Import Dry Run": msg`Annotation Import Dry Run`,
  "Image Changes": msg`Image Changes`,
  "Box Outlines": msg`Box Outlines`,
  "Quality Check": msg`Quality Check`,
  "Quality Fixes": msg`Quality Fixes`,
  Consensus: msg`Consensus`,
  "Image Comparison": msg`Image Comparison`,
  "Permanent Deletion": msg`Permanent Deletion`,
  "Annotation Export": msg`Annotation Export`,
  "Dataset Version": msg`Dataset Version`,
};

/** Names of figures (`shared/statistics/statisticsOfSums.ts`), without units of time. */
const FIGURES: Record<string, MessageDescriptor> = {
  "Annotated Images": msg`Annotated Images`,
  "Annotation Area (px)": msg`Annotation Area (px)`,
  Annotations: msg`Annotations`,
  Categories: msg`Categories`,
  "Image Height (px)": msg`Image Height (px)`,
  Images: msg`Images`,
  "Time Annotating": msg`Time Annotating`,
  "Time per Annotation": msg`Time per Annotation`,
  "Time per Image": msg`Time per Image`,
  Users: msg`Users`,
};

/** Texts without values, by themselves. */
export const exactTexts: Record<string, MessageDescriptor> = { ...FIGURES, ...GROUPS, ...TITLES };

/** Texts that may have values, such as "Invalid format: {name}". */
export const textsWithValues: MessageDescriptor[] = [...refusals, ...taskNames];
