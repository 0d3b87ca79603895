import { fileNameOf } from "../../../files/paths/safePath";

/** Recognition of the files in a zip of annotations by their names. */

const lowerName = (path: string): string => fileNameOf(path).toLowerCase();

export const isXml = (path: string): boolean => lowerName(path).endsWith(".xml");
export const isJson = (path: string): boolean => lowerName(path).endsWith(".json");
export const isPlainText = (path: string): boolean => lowerName(path).endsWith(".txt") && !isNames(path);

const NAMES = ["data.yaml", "data.yml", "classes.txt", "obj.names", "_darknet.labels"];
const YAML = /\.ya?ml$/;

/** Returns true for a file that may contain YOLO class names. */
export const isNames = (path: string): boolean => NAMES.includes(lowerName(path)) || isYaml(path);
export const isYaml = (path: string): boolean => YAML.test(lowerName(path));

/** Sorts files of class names by reliability: first by name, then by depth. */
export function byTrust(a: string, b: string): number {
  const rank = (path: string) => (NAMES.indexOf(lowerName(path)) + NAMES.length + 1) % (NAMES.length + 1);
  return rank(a) - rank(b) || a.split("/").length - b.split("/").length || (a < b ? -1 : 1);
}

/** Names of text files that are not label files: lists of images, and notes for humans. */
const NO_LABELS = /^(train|val|valid|validation|test|trainval|readme.*|licen[sc]e.*|classes|names)\.txt$/;

/**
 * Returns true for a label file, which has one image's objects. In a zip with a folder `labels`, these are in that
 * folder; otherwise lists and readme files are excluded by name.
 */
export const isLabels = (path: string, hasFolder: boolean): boolean =>
  isPlainText(path) && (hasFolder ? isInLabels(path) : !NO_LABELS.test(lowerName(path)));

/**
 * Names of folders with labels: that of Ultralytics, and that of CVAT (obj_train_data), which contains the images too.
 */
export const LABELS = /^(labels|obj_\w+_data)$/i;
/** Folder of Pascal VOC's XML files. */
export const ANNOTATIONS = /^annotations$/i;

const folders = (path: string): string[] => path.split("/").slice(0, -1);
export const isInLabels = (path: string): boolean => folders(path).some((folder) => folder.toLowerCase() === "labels");

const SPLIT = /^(train|val|valid|validation|test|trainval)$/i;

/**
 * Returns the paths in the dataset that the image of a label file may have, most likely first: the part after the
 * folder of label files (`folder`), then the same without the folder of a split (train, val, test). If `beside` names
 * the sibling folder that contains the images, paths with that folder come first, from every parent that may have been
 * imported.
 */
export function imagePaths(path: string, folder: RegExp, beside?: string): string[] {
  const parts = path.replace(/^(\.?\/)+/, "").split("/");
  const at = parts.slice(0, -1).findIndex((part) => folder.test(part));
  const behind = parts.slice(at + 1);
  const before = beside === undefined || at < 0 ? [] : parts.slice(0, at).map((_, from) => parts.slice(from, at));
  const siblings = beside === undefined || at < 0 ? [] : [...before, []].map((some) => [...some, beside, ...behind]);
  const bare = behind.length > 1 && SPLIT.test(behind[0] ?? "") ? [behind.slice(1)] : [];
  const all = [...siblings, ...before.map((some) => [...some, ...behind]), behind, ...bare];
  return all.map((some) => some.join("/"));
}
