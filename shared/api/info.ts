import { z } from "zod";
import { declare } from "./protocol/call";

export const getInfo = declare({
  method: "GET",
  path: "/info/",
  title: "Loading Info",
  access: "public",
  summary: "Get name, version and login options",
  output: z.object({
    name: z.string(),
    git: z.object({ tag: z.string() }),
    version: z.string(),
    allow_registration: z.boolean(),
    login_enabled: z.boolean(),
    total_users: z.number(),
    /** Id of the database. It changes with every restore: ids from another installation may refer to other rows. */
    installation: z.uuid(),
    password_min: z.number(),
    help_url: z.string().nullable(),
    /** Facts about this installation that users should know, e.g. that the embedded database runs without fsync. */
    database: z.enum(["embedded", "server"]),
    /**
     * The network that this server uses; null if it has none. `path` is relative to /api. A browser with another
     * network built in uses this one instead. `size`: side in pixels of the network's square input, null for the usual
     * one.
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
  summary: "Check that the server is ready: the database responds",
  output: z.object({ ready: z.boolean() }),
});
