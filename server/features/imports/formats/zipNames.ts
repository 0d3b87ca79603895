import { fileNameOf } from "../../../files/paths/safePath";

/** Kinds of files in a zip of annotations, by their names. */

const lower = (path: string): string => fileNameOf(path).toLowerCase();

export const isXml = (path: string): boolean => lower(path).endsWith(".xml");
export const isJson = (path: string): boolean => lower(path).endsWith(".json");
export const isPlainText = (path: string): boolean => lower(path).endsWith(".txt") && !isNames(path);

const NAMES = ["data.yaml", "data.yml", "classes.txt", "obj.names", "_darknet.labels"];
const YAML = /\.ya?ml$/;

/** A file that may name YOLO's classes. */
export const isNames = (path: string): boolean => NAMES.includes(lower(path)) || isYaml(path);
export const isYaml = (path: string): boolean => YAML.test(lower(path));

/** The surest first: by its name, then the one nearest to the top. */
export function byTrust(a: string, b: string): number {
  const rank = (path: string) => (NAMES.indexOf(lower(path)) + NAMES.length + 1) % (NAMES.length + 1);
  return rank(a) - rank(b) || a.split("/").length - b.split("/").length || (a < b ? -1 : 1);
}

/** Lists of images, and what people are to read. */
const NO_LABELS = /^(train|val|valid|validation|test|trainval|readme.*|licen[sc]e.*|classes|names)\.txt$/;

/**
 * A file with one image's objects. In a zip that has a folder `labels` these are in there; else lists and notes are told
 * by their names.
 */
export const isLabels = (path: string, hasFolder: boolean): boolean =>
  isPlainText(path) && (hasFolder ? isInLabels(path) : !NO_LABELS.test(lower(path)));

/** Of labels: Ultralytics' folder, and CVAT's (obj_train_data), in which images stand too. */
export const LABELS = /^(labels|obj_\w+_data)$/i;
/** Of XML files. */
export const ANNOTATIONS = /^annotations$/i;

const folders = (path: string): string[] => path.split("/").slice(0, -1);
export const isInLabels = (path: string): boolean => folders(path).some((folder) => folder.toLowerCase() === "labels");

const SPLIT = /^(train|val|valid|validation|test|trainval)$/i;

/**
 * Paths in the dataset that the image of a label file may have, the surest first: what stands behind the folder of such
 * files (`folder`), then the same without the folder of a split. Where `beside` says how the folder of the images is
 * called that stands beside that one, its path from wherever it may have been taken in comes before.
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
