import { z } from "zod";
import { metadata } from "../scalars";

export const USERNAME = /^[A-Za-z0-9_.-]{1,25}$/;
/**
 * Pattern for new accounts. Names of dots alone are not allowed: in a URL, `.` and `..` are folders, so no URL could
 * name the account.
 */
export const NEW_USERNAME = /^(?!\.+$)[A-Za-z0-9_.-]{1,25}$/;
/** Names that no account may take. */
export const RESERVED_USERNAMES = ["anonymous", "system"];

export const username = z
  .string()
  .regex(NEW_USERNAME, "Invalid username format")
  .refine((name) => !RESERVED_USERNAMES.includes(name.toLowerCase()), "Username is reserved");

/** A user in the API, never with a password or its hash. */
export const user = z.object({
  id: z.number(),
  username: z.string(),
  name: z.string(),
  is_admin: z.boolean(),
  anonymous: z.boolean(),
  last_seen: z.string().nullable(),
  preferences: metadata,
});
export type User = z.infer<typeof user>;

/** A user's account as admins see it. */
export const account = user.omit({ preferences: true, anonymous: true }).extend({
  email: z.string(),
  created_at: z.string(),
  /** Number of datasets owned, including those in the trash. */
  datasets: z.number(),
});
export type Account = z.infer<typeof account>;
