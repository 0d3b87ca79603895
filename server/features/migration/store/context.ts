import type { Kysely } from "kysely";
import type { Schema } from "../../../db/schema";
import type { Files } from "../../../files/files";
import type { Dump } from "../dump/openDump";
import type { CategoryOfAnnotation, ImageOfAnnotation } from "../map/annotation";
import type { CollectionReport, MigrationReport } from "./report";
import type { Source } from "./source";

/** A user of the old installation in Limn. */
export interface MigratedUser {
  id: number;
  username: string;
}

/** A dataset of the old installation in Limn. */
export interface MigratedDataset {
  id: number;
  folder: string;
  /** Name and absolute folder in the old installation. */
  name: string;
  directory: string;
}

export interface MigrationOptions {
  /** Folder with the images: the one that was mounted as /datasets. */
  images: string;
  /** True to make hard links instead of copies where that is possible. */
  link: boolean;
  /** True if annotations on images with an EXIF orientation follow it already. */
  upright: boolean;
  isDryRun: boolean;
  /** Origins of annotate URLs that the server allows. */
  annotateOrigins: readonly string[];
}

/** State that the steps of a migration share. */
export interface Migration {
  db: Kysely<Schema>;
  files: Files;
  dump: Dump;
  source: Source;
  options: MigrationOptions;
  report: MigrationReport;
  /** Time of objects that were deleted at an unknown time. */
  now: Date;
  users: Users;
  categories: Map<string, CategoryOfAnnotation>;
  datasets: Map<string, MigratedDataset>;
  /** Images of a dry run, which are not in the database. */
  imagined: Map<string, ImageOfAnnotation>;
  /** Called with the number of documents that were read so far. */
  progress(report: CollectionReport): void;
}

/** Users by the names that documents refer to. */
export class Users {
  private readonly byName = new Map<string, MigratedUser>();
  private readonly byLowerCase = new Map<string, MigratedUser>();

  add(oldName: string, user: MigratedUser): void {
    if (!this.byName.has(oldName)) this.byName.set(oldName, user);
    const lower = oldName.toLowerCase();
    if (!this.byLowerCase.has(lower)) this.byLowerCase.set(lower, user);
  }

  /** Returns the user of a name: the one with exactly this name, or else the first one that differs in case only. */
  named(oldName: string | undefined): MigratedUser | undefined {
    if (oldName === undefined) return undefined;
    return this.byName.get(oldName) ?? this.byLowerCase.get(oldName.toLowerCase());
  }

  /** Returns the user who made an object. `system` is not a user here: it stands for the old server's workers. */
  maker(oldName: string | undefined): MigratedUser | undefined {
    return oldName === "system" ? undefined : this.named(oldName);
  }

  /** Returns the columns about the creator of an object. */
  creator(oldName: string | undefined): { creator_id: number | null; creator_name: string } {
    const user = this.maker(oldName);
    return { creator_id: user?.id ?? null, creator_name: user?.username ?? (oldName || "system") };
  }
}
