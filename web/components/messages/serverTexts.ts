import type { MessageDescriptor } from "@lingui/core";
import { msg } from "@lingui/core/macro";
import { i18n } from "../../languages/i18n";

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
  "Deleting Task": msg`Deleting Task`,
  "Exporting COCO": msg`Exporting COCO`,
  "Generating Dataset": msg`Generating Dataset`,
  Health: msg`Health`,
  "Importing COCO": msg`Importing COCO`,
  "Labelling Images": msg`Labelling Images`,
  "Loading Annotation": msg`Loading Annotation`,
  "Loading Annotations": msg`Loading Annotations`,
  "Loading Categories": msg`Loading Categories`,
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
  "Permanent Deletion": msg`Permanent Deletion`,
  "Annotation Export": msg`Annotation Export`,
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

/** Errors that users see often. The others are shown as the server writes them. */
const MESSAGES: Record<string, MessageDescriptor> = {
  "Access denied": msg`Access denied`,
  "Annotations use this category.": msg`Annotations use this category.`,
  "Authorization required": msg`Authorization required`,
  "Could not authenticate user": msg`Could not authenticate user`,
  "Login is disabled on this server.": msg`Login is disabled on this server.`,
  "Not found.": msg`Not found.`,
  "Please log in.": msg`Please log in.`,
  "Registration of new accounts is disabled.": msg`Registration of new accounts is disabled.`,
  "Task is not completed": msg`Task is not completed`,
  "The image is being changed. Please try again.": msg`The image is being changed. Please try again.`,
  "The last admin cannot be deleted.": msg`The last admin cannot be deleted.`,
  "The last admin must keep the admin rights. Make another user admin first.": msg`The last admin must keep the admin rights. Make another user admin first.`,
  "The path is too long.": msg`The path is too long.`,
  "The path leads out of the dataset.": msg`The path leads out of the dataset.`,
  "The task has already ended.": msg`The task has already ended.`,
  "There is nothing to undo any more.": msg`There is nothing to undo any more.`,
  "This already exists.": msg`This already exists.`,
  "User not found": msg`User not found`,
  "You may not do this.": msg`You may not do this.`,
};

const TEXTS: Record<string, MessageDescriptor> = { ...MESSAGES, ...FIGURES, ...GROUPS, ...TITLES };

/** Returns a text of the server in the language of the page, or unchanged if it has no translation. */
export function serverText(text: string): string {
  const known = Object.hasOwn(TEXTS, text) ? TEXTS[text] : undefined;
  return known ? i18n._(known) : text;
}
