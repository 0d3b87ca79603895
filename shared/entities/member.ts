import { z } from "zod";

/** Roles of a dataset's members. Each has the rights of those before it; the owner, who is no member, has all. */
export const MEMBER_ROLES = ["viewer", "annotator", "reviewer", "maintainer"] as const;
export const memberRole = z.enum(MEMBER_ROLES);
export type MemberRole = z.infer<typeof memberRole>;

/** Returns this role and the higher ones. */
export const rolesFrom = (least: MemberRole): MemberRole[] => MEMBER_ROLES.slice(MEMBER_ROLES.indexOf(least));

/** Role of members for whom none was chosen. */
export const DEFAULT_ROLE = "annotator" satisfies MemberRole;

export const MEMBER_GROUPS = ["Owner", "Member", "Admin"] as const;

/** A user of a dataset. Owner takes precedence over Admin: an admin who owns the dataset is in group Owner. */
export const member = z.object({
  username: z.string(),
  name: z.string(),
  group: z.enum(MEMBER_GROUPS),
  /** Null for the owner. */
  role: memberRole.nullable(),
  is_admin: z.boolean(),
  /** Milliseconds since 1970, in the form that older scripts read. */
  last_seen: z.object({ $date: z.number() }).nullable(),
  /** The same time in ISO 8601, UTC. */
  last_seen_at: z.string().nullable(),
});
export type Member = z.infer<typeof member>;
