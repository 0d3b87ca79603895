/** A file to upload, with its path in the dataset. */
export interface UploadFile {
  file: File;
  /** Relative to the open folder, with parts joined by `/`. */
  path: string;
}

/** Attribute that makes a file input choose folders; React has no typed prop for it. */
export const FOLDERS = { webkitdirectory: "" };

/** Limits of one request, in files and bytes. A larger single file gets its own request. */
const MAX_FILES = 20;
const MAX_BYTES = 32_000_000;

/** Returns dropped or chosen files with their paths. Folder structure is kept; hidden system files are left out. */
export function uploadFiles(files: readonly File[]): UploadFile[] {
  return files.map((file) => ({ file, path: pathOf(file) })).filter(({ path }) => !isHidden(path));
}

/** Returns a file's relative path. The drop zone sets `path`; browsers set `webkitRelativePath` for a chosen folder. */
function pathOf(file: File & { path?: string; relativePath?: string }): string {
  const path = file.webkitRelativePath || file.relativePath || file.path || file.name;
  return path.replace(/^(\.?\/)+/, "");
}

const isHidden = (path: string): boolean =>
  path.split("/").some((part) => part.startsWith(".") || part === "__MACOSX" || part === "Thumbs.db");

/** Splits files into requests of bounded size, in order. Each zip gets its own request, because it becomes a task. */
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
