/** A file and the files that it imports, as paths relative to the root. */
export interface ImportingFile {
  file: string;
  imports: readonly string[];
}

export function folderCycles(files: readonly ImportingFile[]): string[][];
export function crowdedFolders(files: readonly string[], most?: number): { folder: string; count: number }[];
