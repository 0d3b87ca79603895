import type { Kysely } from "kysely";
import { z } from "zod";
import { id } from "../../shared/entities/scalars";
import { visibleImage } from "../actions/access";
import type { Schema } from "../db/schema";
import { HttpError } from "../errors";
import type { Presence, Present } from "../live/presence";
import { roomOf } from "../live/rooms";
import type { LiveServer } from "../live/socketLive";
import { log } from "../log";

const announcement = z.object({ image_id: id, active: z.boolean() });

type LiveSocket = Parameters<Parameters<LiveServer["use"]>[0]>[0];

/**
 * A page says which picture it has open, and hears from then on of that picture's changes, one picture at a time. Who has
 * it open is told to others there and to the dataset's people. Who gives a callback is called back once nothing more can
 * be missed. What is malformed, and what the person may not see, is answered with silence.
 */
export function followPictures(io: LiveServer, db: Kysely<Schema>, presence: Presence): void {
  io.on("connection", (socket) => {
    const leave = () => {
      leaveRooms(socket);
      const left = presence.leave(socket.id);
      if (left) tell(left, false);
    };
    const enter = async (imageId: number, entered: unknown) => {
      const present = await letIn(socket, db, imageId);
      if (!present) return;
      if (typeof entered === "function") entered();
      for (const username of presence.names(imageId))
        socket.emit("annotating", { image_id: imageId, username, active: true });
      if (presence.enter(socket.id, present)) tell(present, true);
    };
    const tell = ({ imageId, datasetId, username }: Present, active: boolean) => {
      peopleOf(db, datasetId)
        .then((people) => {
          const rooms = [roomOf.image(imageId), roomOf.everything, ...people.map(roomOf.user)];
          io.to(rooms).except(socket.id).emit("annotating", { image_id: imageId, username, active });
        })
        .catch((error) => log.debug({ err: error, image: imageId }, "could not tell who is at a picture"));
    };
    socket.on("annotating", (event: unknown, entered?: unknown) => {
      const { data } = announcement.safeParse(event);
      if (!data) return;
      if (!data.active && data.image_id !== socket.data.imageId) return;
      leave();
      if (data.active)
        enter(data.image_id, entered).catch((error) => {
          if (!(error instanceof HttpError)) log.warn({ err: error }, "a socket could not follow a picture");
        });
    });
    socket.on("disconnect", leave);
  });
}

function leaveRooms(socket: LiveSocket): void {
  socket.data.imageId = undefined;
  for (const room of socket.rooms) if (/^(image|member) /.test(room)) void socket.leave(room);
}

/** Lets the socket into the picture's rooms. Nothing where the page went on to another picture meanwhile, or away. */
async function letIn(socket: LiveSocket, db: Kysely<Schema>, imageId: number): Promise<Present | undefined> {
  socket.data.imageId = imageId;
  const { person } = socket.data;
  const { dataset } = await visibleImage(db, person, imageId);
  if (socket.data.imageId !== imageId || !socket.connected) return undefined;
  await socket.join([roomOf.image(imageId), roomOf.member(person.id, dataset.id)]);
  return { imageId, datasetId: dataset.id, username: person.username };
}

/** Those whom a dataset's page may be open for: owner and members. */
async function peopleOf(db: Kysely<Schema>, datasetId: number): Promise<number[]> {
  const owner = db.selectFrom("datasets").select("owner_id as id").where("id", "=", datasetId);
  const members = db.selectFrom("dataset_members").select("user_id as id").where("dataset_id", "=", datasetId);
  const rows = await owner.union(members).execute();
  return rows.flatMap(({ id }) => id ?? []);
}
