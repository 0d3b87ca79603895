import type { Kysely } from "kysely";
import type { Server } from "socket.io";
import type { ClientEvents, ServerEvents } from "../../shared/events";
import { log } from "../base/log";
import type { CurrentUser } from "../base/permissions";
import type { Schema } from "../db/schema";
import type { Live } from "./live";
import type { OlderPages } from "./olderPages";
import type { Presence } from "./presence";
import type { ProcessEvents } from "./processEvents";
import { roomOf } from "./rooms";

/** Data stored with each socket. */
export interface SocketData {
  user: CurrentUser;
  /** Set if the socket was opened with a session cookie. */
  sessionId?: string | undefined;
  /** Set if the socket was opened with an API token. */
  tokenId?: number | undefined;
  /** Id of the socket's client, as `clientOf` returns it for a request. */
  client: string;
  /** The client's address. */
  address: string;
  /**
   * True if the socket receives presence in batches. Older pages and scripts receive an `annotating` event for each
   * change.
   */
  takesBatches: boolean;
}

export type LiveServer = Server<ClientEvents, ServerEvents, ProcessEvents, SocketData>;

/** Returns a `Live` over Socket.IO; with `manyProcesses` it also reaches the sockets of other processes. */
export function makeSocketLive(
  io: LiveServer,
  db: Kysely<Schema>,
  presence: Presence,
  olderPages: OlderPages,
  { manyProcesses = false } = {},
): Live {
  /** Closes the connections of a room in this process. The clients reconnect automatically and authenticate again. */
  const dropHere = (room: string) => {
    for (const id of io.of("/").adapter.rooms.get(room) ?? []) io.of("/").sockets.get(id)?.conn.close();
  };
  const drop = (room: string) => {
    dropHere(room);
    if (manyProcesses) io.serverSideEmit("drop", room);
  };
  if (manyProcesses) io.on("drop", dropHere);

  return {
    notifyImageRoom(event) {
      io.to(roomOf.image(event.image_id)).except(roomOf.olderClients).emit("annotation", event);
    },
    notifyTaskProgress({ creator_id, ...event }) {
      Promise.all([managersOf(db, event.dataset_id), followersOf(db, event.id)])
        .then(([managers, followers]) => {
          const users = [creator_id, ...managers, ...followers].filter((id) => id !== null).map(roomOf.user);
          io.to([...users, roomOf.everything]).emit("taskProgress", event);
        })
        .catch((error) => log.debug({ err: error, task: event.id }, "could not send a task's progress"));
    },
    notifyRole(userId, datasetId) {
      io.to(roomOf.user(userId)).emit("role", { dataset_id: datasetId });
    },
    notifyCategories(datasetIds, client) {
      for (const id of datasetIds)
        io.to(roomOf.images(id))
          .except(roomOf.olderClients)
          .emit("categories", { dataset_id: id, uuid: client ?? null });
    },
    notifyComments(userIds) {
      if (userIds.length > 0) io.to(userIds.map(roomOf.user)).except(roomOf.olderClients).emit("comments");
    },
    notifyWork(datasetId, userIds, what) {
      const rooms = [roomOf.list(datasetId), ...userIds.map(roomOf.user)];
      io.to(rooms).except(roomOf.olderClients).emit("work", { dataset_id: datasetId, what });
    },
    annotating: (imageId) => presence.names(imageId),
    olderPages,
    disconnectUser(userId) {
      drop(roomOf.user(userId));
    },
    leaveDataset(userId, datasetId) {
      drop(roomOf.member(userId, datasetId));
      drop(roomOf.listMember(userId, datasetId));
    },
  };
}

/** Returns the ids of the dataset's owner and maintainers. */
async function managersOf(db: Kysely<Schema>, datasetId: number | null): Promise<(number | null)[]> {
  if (datasetId === null) return [];
  const owner = db.selectFrom("datasets").select("owner_id as id").where("id", "=", datasetId);
  const maintainers = db
    .selectFrom("dataset_members")
    .select("user_id as id")
    .where("dataset_id", "=", datasetId)
    .where("role", "=", "maintainer");
  return (await owner.unionAll(maintainers).execute()).map(({ id }) => id);
}

async function followersOf(db: Kysely<Schema>, taskId: number): Promise<number[]> {
  const rows = await db.selectFrom("task_followers").select("user_id").where("task_id", "=", taskId).execute();
  return rows.map(({ user_id }) => user_id);
}
