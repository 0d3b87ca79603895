import { z } from "zod";
import { declare } from "./protocol/call";

export const getInfo = declare({
  method: "GET",
  path: "/info/",
  title: "Loading Info",
  access: "public",
  summary: "Name, version and how one may log in",
  output: z.object({
    name: z.string(),
    git: z.object({ tag: z.string() }),
    version: z.string(),
    allow_registration: z.boolean(),
    login_enabled: z.boolean(),
    total_users: z.number(),
    /** Id of the database, which changes with every restore: numbers of another id may mean something else. */
    installation: z.uuid(),
    password_min: z.number(),
    help_url: z.string().nullable(),
    /** Facts about this installation that users should know, e.g. that the embedded database runs without fsync. */
    database: z.enum(["embedded", "server"]),
    /**
     * The network that this server uses; null when it has none. `path` is relative to /api. Browsers that have another
     * one built in take this one. `size`: side of the square that it is shown, where it is no other.
     */
    dextr: z
      .object({ sha256: z.string(), bytes: z.number(), path: z.string(), size: z.number().nullable() })
      .nullable(),
  }),
});

export const getHealth = declare({
  method: "GET",
  path: "/health",
  title: "Health",
  access: "public",
  summary: "Ready to serve: the database answers",
  output: z.object({ ready: z.boolean() }),
});
