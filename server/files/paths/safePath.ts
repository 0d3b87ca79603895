import { realpath } from "node:fs/promises";
import { dirname, join, resolve, sep } from "node:path";
import { folderPath } from "../../../shared/rules/folders";
import { badRequest } from "../../base/errors";

/** Validation of paths that come from users, and their location on disk. */

/** Maximum length of a path in bytes. Indices contain the path, and a row of an index has at most 2,704 bytes. */
const MAX_PATH_BYTES = 1200;
/** Maximum nesting of folders. */
export const MAX_DEPTH = 64;
/**
 * Maximum length of a file or folder name in bytes. File systems allow 255; the rest is reserved for names of temporary
 * files.
 */
const MAX_SEGMENT_BYTES = 240;
/** Device names on Windows, with any extension. */
const RESERVED = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(\..*)?$/i;
/**
 * Control characters, line breaks and marks that change the direction of text (UAX 9): a name with them can forge lines
 * in a log or be displayed as a different name (U+202E before "gnp.exe").
 */
const CONTROL = /[\p{Cc}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;
const FORBIDDEN_ON_WINDOWS = /[<>:"|?*]/;

/**
 * Returns the path of a new image inside its dataset, from the folder and name that a client sent. Throws 400 if the
 * path could point outside the dataset or is not valid on every file system; nothing is renamed silently.
 */
export function newImagePath(folder: string, name: string): string {
  const path = folderPath(folder) + name.replace(/^(\.?\/)+/, "");
  if (isTooLong(path)) throw badRequest("The path is too long.");
  const segments = path.split("/");
  if (segments.length > MAX_DEPTH) throw badRequest("The folder is too deep.");
  for (const segment of segments) checkSegment(segment);
  return path;
}

/** Returns true if a path inside a dataset is too long to be stored. */
export const isTooLong = (path: string): boolean => Buffer.byteLength(path) > MAX_PATH_BYTES;

/** Returns the last part of a path. */
export function fileNameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** Removes the extension: "a/b.txt" -> "a/b". Keeps a name whose only dot is its first character. */
export function withoutExtension(path: string): string {
  return path.replace(/(?<=[^/])\.[^./]*$/, "");
}

/** Returns true if a name has control characters or direction marks. */
export const hasControl = (name: string): boolean => CONTROL.test(name);

/** Replaces control characters and direction marks with "_". */
export const withoutControl = (name: string): string => name.toWellFormed().replace(new RegExp(CONTROL, "gu"), "_");

function checkSegment(segment: string): void {
  if (segment === "") throw badRequest("The file has no name.");
  const problem = problemOf(segment);
  if (problem) throw badRequest(`"${shown(segment)}" ${problem}.`);
}

function problemOf(segment: string): string | undefined {
  if (segment === "." || segment === "..") return "leads out of the dataset";
  if (!segment.isWellFormed() || hasControl(segment)) return "has an invisible character";
  // The replacement character for bytes that are not valid text; scans skip such files.
  if (segment.includes("\u{fffd}")) return "is not written in UTF-8";
  if (segment.includes("\\")) return "has a backslash";
  if (segment.startsWith(".")) return "begins with a dot, and hidden files are skipped";
  if (/[. ]$/.test(segment) || segment.startsWith(" ")) return "begins or ends with a space or ends with a dot";
  if (RESERVED.test(segment)) return "is a name that Windows reserves for a device";
  if (Buffer.byteLength(segment) > MAX_SEGMENT_BYTES) return "is too long";
  if (process.platform === "win32" && FORBIDDEN_ON_WINDOWS.test(segment))
    return "has a character that Windows does not allow";
  return undefined;
}

/** Returns a name for display: one line without direction marks, shortened to 300 characters. */
export function shown(name: string): string {
  const plain = name.toWellFormed().replace(new RegExp(CONTROL, "gu"), "\u{fffd}");
  return plain.length > 300 ? `${plain.slice(0, 299)}…` : plain;
}

/** Throws unless `folder` may be a dataset's folder and `path` a path inside it. */
export function checkLocation(folder: string, path: string): void {
  if (!path.split("/").every(isPlainSegment)) throw new Error("Not a path inside a dataset");
  if (!isPlainSegment(folder)) throw new Error("Not the name of a dataset's folder");
}

/** Returns the path of a dataset's folder. Throws unless the name is a single path segment. */
export function locateFolder(root: string, folder: string): string {
  if (!isPlainSegment(folder)) throw new Error("Not the name of a dataset's folder");
  return join(root, folder);
}

/** Returns the full path of a stored path. Does not check links: see `isWithinFolder`. */
export function locate(root: string, folder: string, path: string): string {
  checkLocation(folder, path);
  return join(locateFolder(root, folder), path);
}

function isPlainSegment(segment: string): boolean {
  if (segment === "" || segment === "." || segment === ".." || segment.includes("\0")) return false;
  return !segment.includes("/") && !(sep === "\\" && /[\\:]/.test(segment));
}

/**
 * Returns true if, after resolving links, the folder of `file` is inside the dataset's folder, and the dataset's folder
 * is inside the root.
 */
export async function isWithinFolder(root: string, folder: string, file: string): Promise<boolean> {
  const top = join(await realpath(resolve(root)), folder);
  if ((await realpath(join(root, folder))) !== top) return false;
  const parent = await realpath(dirname(file));
  return parent === top || parent.startsWith(top + sep);
}
