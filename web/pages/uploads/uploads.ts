/** A file to be sent, with its place in the dataset. */
export interface UploadFile {
  file: File;
  /** Relative to the folder that is open, parts joined by `/`. */
  path: string;
}

/** Makes a file input choose a folder with all that is in it; React has no name for it. */
export const FOLDERS = { webkitdirectory: "" };

/** One request carries at most so many files, or the first file that is larger than that. */
const MAX_FILES = 20;
const MAX_BYTES = 32_000_000;

/** Returns the files of a drop or a picker. Folders keep their structure; hidden files of operating systems are left out. */
export function uploadFiles(files: readonly File[]): UploadFile[] {
  return files.map((file) => ({ file, path: pathOf(file) })).filter(({ path }) => !isHidden(path));
}

/** The drop zone sets `path`, browsers set `webkitRelativePath` on a chosen folder's files. */
function pathOf(file: File & { path?: string; relativePath?: string }): string {
  const path = file.webkitRelativePath || file.relativePath || file.path || file.name;
  return path.replace(/^(\.?\/)+/, "");
}

const isHidden = (path: string): boolean =>
  path.split("/").some((part) => part.startsWith(".") || part === "__MACOSX" || part === "Thumbs.db");

/** Cuts a list into requests of bounded size, in order; zips go alone, because each becomes a task. */
export function batches(files: readonly UploadFile[]): UploadFile[][] {
  const result: UploadFile[][] = [];
  let bytes = 0;
  for (const one of files) {
    const current = result.at(-1);
    const isAlone = isZip(one.path) || (current !== undefined && isZip(current[0]!.path));
    if (!current || isAlone || current.length >= MAX_FILES || bytes + one.file.size > MAX_BYTES) {
      result.push([one]);
      bytes = one.file.size;
    } else {
      current.push(one);
      bytes += one.file.size;
    }
  }
  return result;
}

export const isZip = (path: string): boolean => /\.zip$/i.test(path);
