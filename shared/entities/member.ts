import { z } from "zod";

export const MEMBER_GROUPS = ["Owner", "Member", "Admin"] as const;

/** Somebody who works on a dataset. Owner stands over Admin: an admin who owns the dataset is its Owner. */
export const member = z.object({
  username: z.string(),
  name: z.string(),
  group: z.enum(MEMBER_GROUPS),
  is_admin: z.boolean(),
  /** As older scripts read it: milliseconds since 1970. */
  last_seen: z.object({ $date: z.number() }).nullable(),
  /** The same in ISO 8601, UTC. */
  last_seen_at: z.string().nullable(),
});
export type Member = z.infer<typeof member>;
