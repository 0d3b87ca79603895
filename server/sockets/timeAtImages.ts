import { randomUUID } from "node:crypto";
import { type Kysely, sql } from "kysely";
import { z } from "zod";
import { id } from "../../shared/entities/scalars";
import { warnSeldom } from "../base/log";
import type { CurrentUser } from "../base/permissions";
import type { Schema } from "../db/schema";
import { transaction } from "../db/transaction";
import { storeSessions } from "../features/edits/storeSessions";
import type { LiveServer } from "../live/socketLive";
import { isOlder } from "./admit";
import type { Checks } from "./limits/checks";

const announcement = z.object({ image_id: id, active: z.boolean() });

/** Duration in milliseconds of the shortest visit that is stored, so that a flood of events causes no writes. */
const SHORTEST = 1_000;
const LONGEST = 86_400_000;

const warn = warnSeldom();

interface Visit {
  imageId: number;
  /** In milliseconds since 1970. */
  start: number;
  /** The same moment by `performance.now()`, which changes of the clock do not affect. */
  began: number;
}

/**
 * Stores how long Socket.IO 2.x clients have images open, like the original server: its page sends only the time at
 * annotations, with each save. Newer pages send the time at images too.
 */
export function storeTimeAtImages(io: LiveServer, db: Kysely<Schema>, checks: Checks): void {
  io.on("connection", (socket) => {
    if (!isOlder(socket)) return;
    const { user } = socket.data;
    let visit: Visit | undefined;
    const leave = () => {
      const left = visit;
      visit = undefined;
      const milliseconds = left ? Math.min(Math.round(performance.now() - left.began), LONGEST) : 0;
      if (left && milliseconds >= SHORTEST) void checks.turn(socket, () => store(db, user, left, milliseconds));
    };
    socket.on("annotating", (event: unknown) => {
      const { data } = announcement.safeParse(event);
      if (!data || (!data.active && data.image_id !== visit?.imageId)) return;
      leave();
      if (data.active) visit = { imageId: data.image_id, start: Date.now(), began: performance.now() };
    });
    socket.on("disconnect", leave);
  });
}

/** Stores a visit. Never rejects. */
async function store(
  db: Kysely<Schema>,
  user: CurrentUser,
  { imageId, start }: Visit,
  milliseconds: number,
): Promise<void> {
  const session = { uuid: randomUUID(), image_id: imageId, annotation_uuid: null, start, milliseconds, tools: [] };
  await transaction(db, async (trx) => {
    await sql`select from images where id = ${imageId} for update`.execute(trx);
    await storeSessions(trx, user, [session]);
  }).catch((error) => warn({ err: error, image: imageId }, "the time at an image could not be stored"));
}
