import type { Kysely } from "kysely";
import { z } from "zod";
import { id } from "../../shared/entities/scalars";
import { visibleImage } from "../actions/access";
import type { Schema } from "../db/schema";
import { HttpError } from "../errors";
import { roomOf } from "../live/rooms";
import type { LiveServer } from "../live/socketLive";
import { log } from "../log";

const announcement = z.object({ image_id: id, active: z.boolean() });

type LiveSocket = Parameters<Parameters<LiveServer["use"]>[0]>[0];

/**
 * A page says which picture it has open, and hears from then on of that picture's changes, one picture at a time. What
 * is malformed, and what the person may not see, is answered with silence.
 */
export function followPictures(io: LiveServer, db: Kysely<Schema>): void {
  io.on("connection", (socket) => {
    socket.on("annotating", (event: unknown) => {
      const { data } = announcement.safeParse(event);
      if (!data) return;
      if (!data.active && data.image_id !== socket.data.imageId) return;
      leave(socket);
      if (data.active)
        enter(socket, db, data.image_id).catch((error) => {
          if (!(error instanceof HttpError)) log.warn({ err: error }, "a socket could not follow a picture");
        });
    });
  });
}

function leave(socket: LiveSocket): void {
  socket.data.imageId = undefined;
  for (const room of socket.rooms) if (/^(image|member) /.test(room)) void socket.leave(room);
}

async function enter(socket: LiveSocket, db: Kysely<Schema>, imageId: number): Promise<void> {
  socket.data.imageId = imageId;
  const { person } = socket.data;
  const { dataset } = await visibleImage(db, person, imageId);
  // Meanwhile the page may have gone on to another picture.
  if (socket.data.imageId !== imageId) return;
  await socket.join([roomOf.image(imageId), roomOf.member(person.id, dataset.id)]);
}
