import { z } from "zod";

/** Prefix of every API token, by which users and secret scanners recognise one. */
export const TOKEN_PREFIX = "limn_";

/** A personal API token as its owner sees it. The secret itself is shown only once, when the token is created. */
export const apiToken = z.object({
  id: z.number(),
  name: z.string(),
  /** First characters of the secret, by which its owner recognises it. */
  prefix: z.string(),
  created_at: z.string(),
  /** Accurate to a minute; null if never used. */
  last_used: z.string().nullable(),
  /** Null if the token does not expire. */
  expires_at: z.string().nullable(),
});
export type ApiToken = z.infer<typeof apiToken>;
