import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "../../scripts/languages/catalogue";
import { collectTexts } from "../../scripts/languages/collect";

/** English texts that the specification fixes, by place. "…" stands for a value. */
const FIXED: Record<string, readonly string[]> = {
  "page of unknown addresses": ["Sorry! 404 Error", "Could not find the page you are looking for."],
  "navigation bar": [
    ...["Datasets", "Categories", "Undo", "Tasks", "Admin", "Help", "Admin Panel", "Settings", "Logout"],
    ...["Done", "Multiple tasks running ..."],
  ],
  "datasets page": [
    ...["Create", "Import", "Refresh", "You need to create a dataset!", "… of … images annotated"],
    ...["No images in dataset.", "Created by …", "Edit", "Share", "Download COCO", "Delete", "Add a category"],
    "Dataset name is required",
  ],
  "categories page": [
    ...["You need to create a category!", "… objects have been made with this category."],
    ...["No annotations use this category", "Update"],
  ],
  "undo page": ["Undo All", "Delete All", "Nothing to undone!"],
  "admin page": ["Create User", "Are you sure you want to delete …. This action cannot be undone."],
  "tasks page": ["… tasks are running", "… of … tasks running"],
  "dataset page": [
    ...["Images", "Exports", "Members", "Statistics", "No images found in directory.", "Annotate"],
    ...["Download Image & COCO", "Being annotated by …", "… annotations", "Annotated", "No annotations", "Download"],
    ...["Total", "Average", "Annotations Per Category", "Annotated Images Per Category", "Crunching numbers..."],
    ...["Rest All Metadata", "Generate", "Scan", "Import COCO", "Export COCO", "No subdirectory found.", "Contains"],
    ...["Show Annotated", "Show Not Annotated", "Show Annotated Categories"],
  ],
  "login page": [
    ...["Login", "Register", "You are not allowed to register new accounts", "Invalid username format"],
    "Minimum length of … characters.",
  ],
  annotator: [
    ...["Select", "BBox", "Polygon", "Magic Wand", "Brush", "Eraser", "Keypoints", "Copy Annotations"],
    ...["Show All", "Hide All", "Center", "Save", "Image Settings", "Delete Image", "Simplify", "Annotate API"],
    ...["No categories have been enabled for this image.", "This image is being annotated by …"],
    ...["Previous Image", "Next Image", "Added Points", "Closed Polygon", "Delete Polygon", "Unite", "Subtract"],
    ...["Enter a valid image ID", "Value must be a number", "Sorry, you can not clone the same image"],
    ...["Duplicate keypoint label", "Label is required", "Invalid HEX color."],
  ],
  messages: [
    ...["Creating Dataset", "Creating Category", "Updating Category", "Loading Dataset", "Scanning Dataset"],
    ...["Exporting COCO", "Importing COCO", "Copying Annotations", "Changing Password", "User Registration"],
    ...["User Login", "Annotator", "Could not read data from URL", "Could not find requested image"],
    ...["Redirecting to previous page.", "Category successfully updated", "Password has been changed"],
    ...["Connection Lost", "Connection lost to the backend"],
  ],
};

/** Fixed texts that Limn does not show, and the record that says why. */
const DEVIATIONS: Record<string, string> = {
  "Closed Polygon": "docs/decisions/0119-messages-of-the-server.md",
};

const shown = new Set(Object.values(await collectTexts()).flatMap((entries) => entries.flatMap(formsOf)));

describe.each(Object.entries(FIXED))("the specification's texts of the %s", (_place, texts) => {
  it.each(texts.filter((text) => !DEVIATIONS[text]))("include “%s”", (text) => {
    expect(shown).toContain(text);
  });
});

it.each(Object.entries(DEVIATIONS))("a record explains why “%s” is not shown", (text, record) => {
  expect(Object.values(FIXED).flat()).toContain(text);
  expect(shown).not.toContain(text);
  expect(existsSync(join(root, record))).toBe(true);
});

/** Returns a message in each plural form, without elements, and with "…" for its values. */
function formsOf({ message }: { message: string }): string[] {
  const plural = /\{\w+, plural,((?: *[\w=]+ \{(?:[^{}]|\{\w+\})*\})+)\}/.exec(message);
  const forms = plural ? [...plural[1]!.matchAll(/[\w=]+ \{((?:[^{}]|\{\w+\})*)\}/g)].map(([, form = ""]) => form) : [];
  const all = plural ? forms.map((form) => message.replace(plural[0], form)) : [message];
  return all.map((text) => text.replace(/<\/?\d+\/?>/g, "").replace(/\{\w+\}|#/g, "…"));
}
