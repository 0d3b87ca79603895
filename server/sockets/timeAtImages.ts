import { randomUUID } from "node:crypto";
import { type Kysely, sql } from "kysely";
import { z } from "zod";
import { id } from "../../shared/entities/scalars";
import { storeSessions } from "../actions/edits/storeSessions";
import type { Schema } from "../db/schema";
import { transaction } from "../db/transaction";
import type { LiveServer } from "../live/socketLive";
import { log } from "../log";
import type { Person } from "../permissions";
import { isOlder } from "./admit";

const announcement = z.object({ image_id: id, active: z.boolean() });

/** Milliseconds. A shorter look is not stored, so that a flood of announcements writes nothing. */
const SHORTEST = 1_000;
const LONGEST = 86_400_000;

interface Stay {
  imageId: number;
  start: number;
}

/**
 * Stores how long clients of Socket.IO's 2.x line have images open, as the original server did: its page sends the time
 * at annotations with a save, and leaves the time at the image to the server. Newer pages send both themselves.
 */
export function storeTimeAtImages(io: LiveServer, db: Kysely<Schema>): void {
  io.on("connection", (socket) => {
    if (!isOlder(socket)) return;
    const { person } = socket.data;
    let stay: Stay | undefined;
    const leave = () => {
      if (stay) store(db, person, stay);
      stay = undefined;
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

function store(db: Kysely<Schema>, person: Person, { imageId, start }: Stay): void {
  const milliseconds = Math.min(Date.now() - start, LONGEST);
  if (milliseconds < SHORTEST) return;
  const session = { uuid: randomUUID(), image_id: imageId, annotation_uuid: null, start, milliseconds, tools: [] };
  transaction(db, async (trx) => {
    await sql`select from images where id = ${imageId} for update`.execute(trx);
    await storeSessions(trx, person, [session]);
  }).catch((error) => log.warn({ err: error, image: imageId }, "the time at an image could not be stored"));
}
