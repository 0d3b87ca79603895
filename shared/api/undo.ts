import { z } from "zod";
import { id } from "../entities/scalars";
import { declare } from "./protocol/call";
import { idInPath, limit } from "./protocol/inputs";

/** Kinds of entries in the trash. An undone import is one entry: its annotations were moved to the trash together. */
export const INSTANCES = ["annotation", "category", "dataset", "image", "import"] as const;
export type Instance = (typeof INSTANCES)[number];

/** Values of the list's type filter. */
export const UNDO_TYPES = ["all", ...INSTANCES] as const;
export type UndoType = (typeof UNDO_TYPES)[number];

const named = z.object({ id, name: z.string() });

/** An entry of the trash, with its category, image and dataset where they apply. */
export const undoEntry = z.object({
  id,
  instance: z.enum(INSTANCES),
  /** "-" if the entry has no name. */
  name: z.string(),
  /** Time since the deletion, such as "2 hours", without "ago"; empty for less than two seconds. */
  ago: z.string(),
  /** Time of the deletion, ISO 8601. */
  date: z.string(),
  /** The user who deleted it; null if the account is gone. */
  deleted_by: z.string().nullable(),
  category: named.nullable(),
  image: named.nullable(),
  dataset: named.nullable(),
  /** True if the caller may delete the entry for good. Every listed entry may be rolled back. */
  permissions: z.object({ delete: z.boolean() }),
});
export type UndoEntry = z.infer<typeof undoEntry>;

const query = z.object({ id: idInPath, instance: z.enum(INSTANCES, { error: "Instance not found" }) });
/** `task`: the task that continues the work; absent if all is done. */
const output = z.object({ success: z.literal(true), task: named.optional() });

export const listUndo = declare({
  method: "GET",
  path: "/undo/list/",
  title: "Loading Deleted Items",
  access: "user",
  summary: "List the newest deleted entries that the caller may restore",
  query: z.object({ limit: limit(50), type: z.enum(UNDO_TYPES).default("all") }),
  output: z.array(undoEntry),
});

export const rollBack = declare({
  method: "POST",
  path: "/undo/",
  title: "Rolling Back",
  access: "user",
  summary: "Restore a deleted entry; nothing happens if it is not in the trash",
  query,
  output,
});

export const deleteForGood = declare({
  method: "DELETE",
  path: "/undo/",
  title: "Deleting Permanently",
  access: "user",
  summary:
    "Permanently delete an entry of the trash, with its rows and files. 409 if `date`, the time of its deletion, differs",
  query: query.extend({ date: z.iso.datetime().optional() }),
  output,
});
