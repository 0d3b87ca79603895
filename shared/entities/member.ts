import { z } from "zod";

export const MEMBER_GROUPS = ["Owner", "Member", "Admin"] as const;

/** A user of a dataset. Owner takes precedence over Admin: an admin who owns the dataset is in group Owner. */
export const member = z.object({
  username: z.string(),
  name: z.string(),
  group: z.enum(MEMBER_GROUPS),
  is_admin: z.boolean(),
  /** Milliseconds since 1970, in the form that older scripts read. */
  last_seen: z.object({ $date: z.number() }).nullable(),
  /** The same time in ISO 8601, UTC. */
  last_seen_at: z.string().nullable(),
});
export type Member = z.infer<typeof member>;
