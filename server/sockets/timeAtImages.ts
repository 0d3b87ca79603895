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

/** Milliseconds. A shorter look is not stored, so that a flood of announcements writes nothing. */
const SHORTEST = 1_000;
const LONGEST = 86_400_000;

const warn = warnSeldom();

interface Stay {
  imageId: number;
  start: number;
}

/**
 * Stores how long clients of Socket.IO's 2.x line have images open, as the original server did: its page sends the time
 * at annotations with a save, and leaves the time at the image to the server. Newer pages send both themselves.
 */
export function storeTimeAtImages(io: LiveServer, db: Kysely<Schema>, checks: Checks): void {
  io.on("connection", (socket) => {
    if (!isOlder(socket)) return;
    const { user } = socket.data;
    let stay: Stay | undefined;
    const leave = () => {
      const left = stay;
      stay = undefined;
      const milliseconds = left ? Math.min(Date.now() - left.start, LONGEST) : 0;
      if (left && milliseconds >= SHORTEST) void checks.turn(socket, () => store(db, user, left, milliseconds));
    };
    socket.on("annotating", (event: unknown) => {
      const { data } = announcement.safeParse(event);
      if (!data || (!data.active && data.image_id !== stay?.imageId)) return;
      leave();
      if (data.active) stay = { imageId: data.image_id, start: Date.now() };
    });
    socket.on("disconnect", leave);
  });
}

/** Does not reject. */
async function store(
  db: Kysely<Schema>,
  user: CurrentUser,
  { imageId, start }: Stay,
  milliseconds: number,
): Promise<void> {
  const session = { uuid: randomUUID(), image_id: imageId, annotation_uuid: null, start, milliseconds, tools: [] };
  await transaction(db, async (trx) => {
    await sql`select from images where id = ${imageId} for update`.execute(trx);
    await storeSessions(trx, user, [session]);
  }).catch((error) => warn({ err: error, image: imageId }, "the time at an image could not be stored"));
}
