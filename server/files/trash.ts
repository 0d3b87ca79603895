import { viewNames } from "./decode/views";
import { checkedEntry, type Storage, type StoredFile } from "./storage/storage";

/**
 * Files of permanently deleted images and datasets, kept for a while. An entry is named after its former row
 * ("image-12", "dataset-5"); if that row still exists, the entry can be put back. This repairs a process killed between
 * moving the file and deleting the row, and restores the files of rows that an older backup brings back.
 */
export interface Trash {
  /**
   * Moves an image's file into an entry and deletes its cached views. Returns false if the file does not exist.
   * `durable` flushes the move to disk.
   */
  discard(entry: string, image: Discarded, options?: { durable?: boolean }): Promise<boolean>;
  /** Moves the wanted files of an entry back to their paths in the dataset's folder; never overwrites another file. */
  putBack(entry: string, folder: string, isWanted: (path: string) => Promise<boolean>): Promise<void>;
  /** Removes empty sub-folders of a dataset's folder, and the folder itself if nothing is left. */
  removeEmptyFolders(folder: string): Promise<void>;
  entries(): Promise<StoredFile[]>;
  remove(entry: string): Promise<void>;
}

/** Location and hash of an image, from its row and its dataset's row. */
export interface Discarded {
  folder: string;
  path: string;
  hash: string;
}

export function makeTrash({ images, trash, views }: Pick<Storage, "images" | "trash" | "views">): Trash {
  return {
    async discard(entry, image, { durable = false } = {}) {
      const { folder, path } = image;
      checkedEntry(entry);
      const state = await images.state(folder, path);
      if (!state) return false;
      await Promise.all(viewNames(image, state).map((name) => views.remove(name)));
      return trash.discard(entry, folder, path, { durable });
    },
    putBack: (entry, folder, isWanted) => trash.putBack(entry, folder, isWanted),
    removeEmptyFolders: (folder) => trash.removeEmptyFolders(folder),
    entries: () => trash.entries(),
    remove: (entry) => trash.remove(entry),
  };
}
