import { z } from "zod";
import { id, text } from "./scalars";

/** A category of a version, with its number of annotations. Ids and names are those of the version's moment. */
export const versionCategory = z.object({ id, name: z.string(), annotations: z.number() });
export type VersionCategory = z.infer<typeof versionCategory>;

export const versionName = text(100).trim().min(1, "Please enter a name.");
export const versionNote = text(2000).trim();

/** A named moment of a dataset. Its COCO file never changes. */
export const version = z.object({
  id,
  name: z.string(),
  note: z.string(),
  creator: z.string(),
  created_at: z.string(),
  images: z.number(),
  annotations: z.number(),
  categories: z.array(versionCategory),
  /** Length of the COCO file in bytes, and its SHA-256 in hexadecimal. */
  bytes: z.number(),
  sha256: z.string(),
  /** Name for the downloaded file. */
  file_name: z.string(),
});
export type Version = z.infer<typeof version>;

const changes = { added: z.number(), removed: z.number(), changed: z.number() };

/** Differences between two versions of a dataset. An annotation whose category changed counts as changed. */
export const versionComparison = z.object({
  images: z.object(changes),
  annotations: z.object(changes),
  /** Only categories with differences, in order of name. */
  categories: z.array(z.object({ name: z.string(), ...changes })),
});
export type VersionComparison = z.infer<typeof versionComparison>;
