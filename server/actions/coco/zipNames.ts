import { fileNameOf } from "../../files/safePath";

/** What files in a zip of annotations are by their names. */

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

/** Lists of pictures, and what people are to read. */
const NO_LABELS = /^(train|val|valid|validation|test|trainval|readme.*|licen[sc]e.*|classes|names)\.txt$/;

/**
 * A file with one picture's objects. In a zip that has a folder `labels` these are in there; else lists and notes are told
 * by their names.
 */
export const isLabels = (path: string, hasFolder: boolean): boolean =>
  isPlainText(path) && (hasFolder ? isInLabels(path) : !NO_LABELS.test(lower(path)));

const folders = (path: string): string[] => path.split("/").slice(0, -1);
export const isInLabels = (path: string): boolean => folders(path).includes("labels");

const SPLIT = /^(train|val|valid|validation|test|trainval)$/;

/**
 * Paths in the dataset that the picture of a label file may have, the surest first: what stands behind the folder
 * `folder` ("labels", "Annotations"), then the same without the folder of a split.
 */
export function picturePaths(path: string, folder: string): string[] {
  const parts = path.replace(/^(\.?\/)+/, "").split("/");
  const at = parts.slice(0, -1).indexOf(folder);
  const behind = parts.slice(at + 1);
  const bare = behind.length > 1 && SPLIT.test(behind[0] ?? "") ? [behind.slice(1)] : [];
  return [behind, ...bare].map((some) => some.join("/"));
}
