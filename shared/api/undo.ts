import { z } from "zod";
import { id } from "../entities/scalars";
import { declare } from "./protocol/call";
import { idInPath, limit } from "./protocol/inputs";

/** Kinds of things in the trash. An undone import is one entry: its annotations were trashed together. */
export const INSTANCES = ["annotation", "category", "dataset", "image", "import"] as const;
export type Instance = (typeof INSTANCES)[number];

/** The filter of the list. */
export const UNDO_TYPES = ["all", ...INSTANCES] as const;
export type UndoType = (typeof UNDO_TYPES)[number];

const named = z.object({ id, name: z.string() });

/** A deleted thing. Its place is given as far as it applies: an annotation's category, image and dataset. */
export const undoEntry = z.object({
  id,
  instance: z.enum(INSTANCES),
  /** "-" where it has none. */
  name: z.string(),
  /** "2 hours", the word "ago" is the reader's; empty up to one second. */
  ago: z.string(),
  /** Time of the deletion, ISO 8601. */
  date: z.string(),
  /** The user who deleted it; null if the account is gone. */
  deleted_by: z.string().nullable(),
  category: named.nullable(),
  image: named.nullable(),
  dataset: named.nullable(),
  /** True if the caller may delete it for good. Every listed entry may be rolled back. */
  permissions: z.object({ delete: z.boolean() }),
});
export type UndoEntry = z.infer<typeof undoEntry>;

const query = z.object({ id: idInPath, instance: z.enum(INSTANCES, { error: "Instance not found" }) });
/** `task`: the work goes on in this task; absent when all is done. */
const output = z.object({ success: z.literal(true), task: named.optional() });

export const listUndo = declare({
  method: "GET",
  path: "/undo/list/",
  title: "Loading Deleted Items",
  access: "user",
  summary: "The newest of what was deleted and one may bring back",
  query: z.object({ limit: limit(50), type: z.enum(UNDO_TYPES).default("all") }),
  output: z.array(undoEntry),
});

export const rollBack = declare({
  method: "POST",
  path: "/undo/",
  title: "Rolling Back",
  access: "user",
  summary: "Bring back something deleted; what is there stays there",
  query,
  output,
});

export const deleteForGood = declare({
  method: "DELETE",
  path: "/undo/",
  title: "Deleting Permanently",
  access: "user",
  summary: "Delete for good what was deleted before: its rows and its files",
  query,
  output,
});
