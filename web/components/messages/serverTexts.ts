import type { MessageDescriptor } from "@lingui/core";
import { msg } from "@lingui/core/macro";
import { i18n } from "../../languages/i18n";
import { refusals, taskNames } from "./refusals";

/** English texts that come from the server or from the declarations of its calls. */

/** Titles of calls (`shared/api`). */
const TITLES: Record<string, MessageDescriptor> = {
  "API Tokens": msg`API Tokens`,
  "Cancelling Task": msg`Cancelling Task`,
  "Changing Password": msg`Changing Password`,
  "Copying Annotations": msg`Copying Annotations`,
  "Could not find requested image": msg`Could not find requested image`,
  "Counting Boxes": msg`Counting Boxes`,
  "Create User": msg`Create User`,
  "Creating Annotation": msg`Creating Annotation`,
  "Creating Category": msg`Creating Category`,
  "Creating Dataset": msg`Creating Dataset`,
  "Deleting Annotation": msg`Deleting Annotation`,
  "Deleting Category": msg`Deleting Category`,
  "Deleting Dataset": msg`Deleting Dataset`,
  "Deleting Image": msg`Deleting Image`,
  "Deleting Images": msg`Deleting Images`,
  "Deleting Permanently": msg`Deleting Permanently`,
  "Dataset Versions": msg`Dataset Versions`,
  "Deleting Task": msg`Deleting Task`,
  "Exporting COCO": msg`Exporting COCO`,
  "Generating Dataset": msg`Generating Dataset`,
  Health: msg`Health`,
  "Importing COCO": msg`Importing COCO`,
  "Labelling Images": msg`Labelling Images`,
  "Loading Annotation": msg`Loading Annotation`,
  "Loading Annotations": msg`Loading Annotations`,
  "Loading Categories": msg`Loading Categories`,
  "Loading Comments": msg`Loading Comments`,
  "Loading DEXTR": msg`Loading DEXTR`,
  "Loading Dataset": msg`Loading Dataset`,
  "Loading Datasets": msg`Loading Datasets`,
  "Loading Deleted Items": msg`Loading Deleted Items`,
  "Loading Image": msg`Loading Image`,
  "Loading Images": msg`Loading Images`,
  "Loading Info": msg`Loading Info`,
  "Loading Members": msg`Loading Members`,
  "Loading Statistics": msg`Loading Statistics`,
  "Loading Tasks": msg`Loading Tasks`,
  "Loading Users": msg`Loading Users`,
  Logout: msg`Logout`,
  "Marking Images": msg`Marking Images`,
  "Moving Images": msg`Moving Images`,
  "Outlining Boxes": msg`Outlining Boxes`,
  Preferences: msg`Preferences`,
  "Reserving Category Ids": msg`Reserving Category Ids`,
  "Reading Comments": msg`Reading Comments`,
  "Resetting Metadata": msg`Resetting Metadata`,
  "Restoring Boxes": msg`Restoring Boxes`,
  "Restoring Images": msg`Restoring Images`,
  "Rolling Back": msg`Rolling Back`,
  "Running DEXTR": msg`Running DEXTR`,
  Saving: msg`Saving`,
  "Scanning Dataset": msg`Scanning Dataset`,
  "Sharing Dataset": msg`Sharing Dataset`,
  Undoing: msg`Undoing`,
  "Updating Annotation": msg`Updating Annotation`,
  "Updating Category": msg`Updating Category`,
  "Updating Dataset": msg`Updating Dataset`,
  "Updating User": msg`Updating User`,
  Uploading: msg`Uploading`,
  User: msg`User`,
  "User Login": msg`User Login`,
  "User Registration": msg`User Registration`,
};

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

const EXACT: Record<string, MessageDescriptor> = { ...FIGURES, ...GROUPS, ...TITLES };

/** A text with values, such as "Invalid format: {name}". */
interface Pattern {
  text: MessageDescriptor;
  form: RegExp;
  names: string[];
}

let patterns: Pattern[] | undefined;

/**
 * Returns a text of the server in the language of the page, or unchanged if it has no translation. Of several lines,
 * translates each.
 */
export function serverText(text: string): string {
  if (i18n.locale === "en") return text;
  const known = Object.hasOwn(EXACT, text) ? EXACT[text] : undefined;
  if (known) return i18n._(known);
  patterns ??= [...refusals, ...taskNames].map(patternOf);
  for (const { text: found, form, names } of patterns) {
    const match = form.exec(text);
    if (match)
      return i18n._({
        ...found,
        values: Object.fromEntries(names.map((name, i) => [name, valueText(name, match[i + 1] ?? "")])),
      });
  }
  return text.includes("\n") ? text.split("\n").map(serverText).join("\n") : text;
}

const valueText = (name: string, value: string): string => (name === "reason" ? serverText(value) : value);

/** Returns the form of a text whose values are not known. */
function patternOf(text: MessageDescriptor): Pattern {
  // The build compiles messages to a text, or to a list of texts and of lists that begin with the name of a value.
  const parts: unknown[] = Array.isArray(text.message) ? text.message : [text.message];
  const names: string[] = [];
  const form = parts.map((part) => {
    if (typeof part === "string") return part.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
    if (Array.isArray(part)) names.push(String(part[0]));
    return "(.+)";
  });
  return { text, form: new RegExp(`^${form.join("")}$`, "s"), names };
}
