import { z } from "zod";

/** Every API token begins so: people and scanners of leaked secrets know it by that. */
export const TOKEN_PREFIX = "limn_";

/** A personal API token as its owner sees it. The secret itself is shown once, when it is made. */
export const apiToken = z.object({
  id: z.number(),
  name: z.string(),
  /** The secret's beginning, by which its owner recognises it. */
  prefix: z.string(),
  created_at: z.string(),
  /** To the minute; null: never used. */
  last_used: z.string().nullable(),
  /** Null: it does not expire. */
  expires_at: z.string().nullable(),
});
export type ApiToken = z.infer<typeof apiToken>;
