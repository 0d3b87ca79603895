import Dexie, { type Table } from "dexie";
import { baseUrl } from "../../io/http/url";
import type { Owner } from "../../io/journal/journalName";
import { type StoredScene, unpackScene } from "./packedScene";
import type { DatasetRow, FileRow, ImageRow, PartRow, ProgressRow, SceneRow, SettingRow } from "./records";

const prefix = (): string => `limn-copy ${baseUrl().pathname} `;

/** Returns the name of the database with a user's copies of an installation. */
export const copyName = ({ installation, userId, username }: Owner): string =>
  `${prefix()}${installation ?? "-"} ${userId} ${username}`;

/** Returns true if a database has copies that the same user made of another installation, or under another id. */
export function isOlderCopy(name: string, owner: Owner): boolean {
  if (!name.startsWith(prefix()) || name === copyName(owner)) return false;
  const [, username] = /^\S+ \d+ (.+)$/.exec(name.slice(prefix().length)) ?? [];
  return username === owner.username;
}

type WatchedTable = "datasets" | "images" | "progress" | "settings";

/**
 * The database of one user's copies in this browser. Every call rejects if the browser cannot open the database, and
 * with a QuotaExceededError if storage is full.
 */
export class CopyStore {
  readonly dexie: Dexie;
  readonly datasets: Table<DatasetRow, number>;
  readonly images: Table<ImageRow, number>;
  /** Scenes. Reading returns them unpacked; they are packed by `packScene` before writing. */
  readonly scenes: Table<SceneRow, number, StoredScene>;
  readonly files: Table<FileRow, number>;
  readonly thumbnails: Table<FileRow, number>;
  readonly parts: Table<PartRow, number>;
  readonly progress: Table<ProgressRow, number>;
  readonly settings: Table<SettingRow, string>;

  constructor(readonly name: string) {
    this.dexie = new Dexie(name);
    this.dexie.version(1).stores({
      datasets: "id",
      images: "id, dataset_id, usedAt",
      scenes: "image_id",
      files: "image_id",
      thumbnails: "image_id",
      parts: "image_id",
      progress: "id",
      settings: "key",
    });
    this.datasets = this.dexie.table("datasets");
    this.images = this.dexie.table("images");
    this.scenes = this.dexie.table("scenes");
    // Dexie also calls the hook for a scene that is not there.
    this.scenes.hook("reading", (stored: StoredScene | undefined) => stored && unpackScene(stored));
    this.files = this.dexie.table("files");
    this.thumbnails = this.dexie.table("thumbnails");
    this.parts = this.dexie.table("parts");
    this.progress = this.dexie.table("progress");
    this.settings = this.dexie.table("settings");
  }

  /** Returns an image's scene in the form in which it is stored. */
  async storedScene(imageId: number): Promise<StoredScene | undefined> {
    const found: unknown = await this.scenes.where("image_id").equals(imageId).raw().first();
    return found as StoredScene | undefined;
  }

  /** Runs changes of several tables in one transaction: all are stored, or none. */
  changeAll<T>(change: () => Promise<T>): Promise<T> {
    // Dexie follows only promises of async functions that it calls itself.
    return this.dexie.transaction("rw", this.dexie.tables, async () => change());
  }

  /** Calls `listener` whenever this or another tab changes a table. Returns a function that stops it. */
  onChange(table: WatchedTable, listener: () => void): () => void {
    const handleMutation = (parts: object) => {
      if (Object.keys(parts).some((part) => part.includes(`/${this.name}/${table}`))) listener();
    };
    Dexie.on("storagemutated", handleMutation);
    return () => Dexie.on("storagemutated").unsubscribe(handleMutation);
  }

  /**
   * Opens the database; rejects if the browser cannot. Dexie itself tries once, and after a failure rejects every
   * query.
   */
  async open(): Promise<void> {
    if (!this.dexie.isOpen()) await this.dexie.open();
  }

  /** Calls `listener` if the browser closes the database, e.g. because the user deletes the page's data. */
  onLost(listener: () => void): void {
    this.dexie.on("close", listener);
  }

  close(): void {
    this.dexie.close();
  }

  /** Deletes the database. */
  async wipe(): Promise<void> {
    await this.dexie.delete();
  }
}
