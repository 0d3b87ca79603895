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
    /** PGlite in the server's process (`embedded`), which may lose data in a power failure, or a PostgreSQL server. */
    database: z.enum(["embedded", "server"]),
    /**
     * The DEXTR model that this server uses; null if it has none. `path` is relative to /api. A browser that has
     * another model built in uses this one instead. `size`: width and height in pixels of the model's square input;
     * null for the default.
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
  summary: "Check that the database responds, even while the server is stopping",
  output: z.object({ ready: z.boolean() }),
});

export const getLiveness = declare({
  method: "GET",
  path: "/health/live",
  title: "Health",
  access: "public",
  summary: "Check that the process responds at all, for programs that restart it otherwise",
  output: z.object({ live: z.boolean() }),
});

export const getReadiness = declare({
  method: "GET",
  path: "/health/ready",
  title: "Health",
  access: "public",
  summary: "Check that a load balancer may send requests: the database responds, and the server is not stopping",
  output: z.object({ ready: z.boolean() }),
});
