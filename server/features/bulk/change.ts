import { randomUUID } from "node:crypto";
import type { Kysely } from "kysely";
import { z } from "zod";
import { imageFilter } from "../../../shared/api/datasets/datasetImages";
import { stage } from "../../../shared/entities/image";
import type { Schema } from "../../db/schema";
import type { Files } from "../../files/files";
import type { Live } from "../../live/live";
import { ranges } from "./ranges";
import { seenImages } from "./seenValues";

/** A bulk command on images as data, so that a task can run it. */
export const change = z.discriminatedUnion("what", [
  /** `at` becomes the images' time of deletion, by which `restore` finds them. */
  z.object({ what: z.literal("delete"), at: z.string() }),
  z.object({ what: z.literal("restore"), at: z.string() }),
  z.object({ what: z.literal("move"), folder: z.string() }),
  z.object({ what: z.literal("label"), add: z.array(z.number()), remove: z.array(z.number()) }),
  /**
   * `mayReview`: true if the user may accept and return images. `seen`: stages in which the user saw images; an image
   * that is in another stays.
   */
  z.object({
    what: z.literal("mark"),
    done: z.boolean().optional(),
    stage: stage.optional(),
    mayReview: z.boolean().default(false),
    seen: z.array(z.object({ stage, ...seenImages })).optional(),
  }),
  /**
   * `users`: ids of users, who get equal shares; none if the images are assigned to nobody. `seen`: users who had
   * images when the user saw them; an image that another has stays.
   */
  z.object({
    what: z.literal("assign"),
    users: z.array(z.number()),
    seen: z.array(z.object({ user: z.number().nullable(), ...seenImages })).optional(),
  }),
  /**
   * Restores the images to their state before the change `of`. `mayReview`, `mayAssign`: what the user may do now,
   * which may be less than when the change was made.
   */
  z.object({
    what: z.literal("takeBack"),
    of: z.uuid(),
    mayReview: z.boolean().default(false),
    mayAssign: z.boolean().default(false),
  }),
]);
export type Change = z.infer<typeof change>;

/**
 * The selected images: by id, by ranges of ids (both ends included), by the time at which one call deleted them, or by
 * the change that affected them. A filter occurs only in tasks queued by an older version: see selectImages.ts.
 */
export const selection = z.union([
  z.object({ ids: z.array(z.number()) }),
  z.object({ ranges }),
  z.object({ filter: imageFilter.omit({ order: true }), except: z.array(z.number()).default([]) }),
  z.object({ deletedAt: z.string() }),
  z.object({ changedBy: z.uuid() }),
]);
export type Selection = z.infer<typeof selection>;

/** A change with its user, dataset and images. The values before the change are recorded under `id`: see before.ts. */
export const order = z.object({
  id: z.uuid().default(randomUUID),
  dataset_id: z.number(),
  person_id: z.number(),
  change,
  selection,
});
export type Order = z.infer<typeof order>;

/** Services that a change needs. */
export interface ChangeTools {
  db: Kysely<Schema>;
  files: Files;
  live: Live;
}

export interface Failure {
  id: number;
  message: string;
}

export interface Outcome {
  changed: number;
  failures: Failure[];
}

/** Message of a failure: another user has changed an image since the user saw it or changed it. */
export const changedSince = (what: "stage" | "assigned user" | "labels", path: string): string =>
  what === "labels" ? `The labels of ${path} have changed since.` : `The ${what} of ${path} has changed since.`;

/** Returns a failure for each of `ids` that is not in `found`. */
export function failuresOfMissing(ids: readonly number[], found: readonly number[]): Failure[] {
  const present = new Set(found);
  return ids.filter((id) => !present.has(id)).map((id) => ({ id, message: "Invalid image id" }));
}
