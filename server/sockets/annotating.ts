import type { Kysely } from "kysely";
import { z } from "zod";
import { id } from "../../shared/entities/scalars";
import type { Entered, Listed, Unavailable } from "../../shared/events";
import { HttpError } from "../base/errors";
import { warnSeldom } from "../base/log";
import type { Schema } from "../db/schema";
import { visibleDataset, visibleImage } from "../features/access/access";
import type { OlderPages } from "../live/olderPages";
import type { Presence } from "../live/presence";
import { roomOf } from "../live/rooms";
import type { LiveServer } from "../live/socketLive";
import { isOlder } from "./admit";
import type { Checks } from "./limits/checks";
import { NewestRequest } from "./newestRequest";

const announcement = z.object({ image_id: id, active: z.boolean() });
const listing = z.object({ dataset_id: id, active: z.boolean() });

type LiveSocket = Parameters<Parameters<LiveServer["use"]>[0]>[0];
type Respond<A> = (response?: A | Unavailable) => void;

const warn = warnSeldom();

interface Tools {
  io: LiveServer;
  db: Kysely<Schema>;
  presence: Presence;
  olderPages: OlderPages;
  checks: Checks;
}

/**
 * Lets pages follow one image and one dataset's list at a time. A page sends the id of the image or list that it shows,
 * and from then on is notified of changes and of the users who have images open. Malformed messages, and ids that the
 * user may not see, get no response.
 */
export function followImages(tools: Tools): void {
  tools.io.on("connection", (socket) => {
    const image = followImage(socket, tools);
    const list = followList(socket, tools);
    socket.on("annotating", (event: unknown, entered?: unknown) => {
      const { data } = announcement.safeParse(event);
      if (data) image.announce(data.image_id, data.active, respondTo<Entered>(entered));
    });
    socket.on("listing", (event: unknown, listed?: unknown) => {
      const { data } = listing.safeParse(event);
      if (data) list.announce(data.dataset_id, data.active, respondTo<Listed>(listed));
    });
    socket.on("disconnect", () => {
      image.leave();
      list.leave();
    });
  });
}

interface FollowRequest<A> {
  id: number;
  respond: Respond<A>;
}

/** The one image or list that a socket follows, after an access check. */
interface Following<A> {
  announce(id: number, active: boolean, respond: Respond<A>): void;
  leave(): void;
}

function followImage(socket: LiveSocket, { db, presence, olderPages, checks }: Tools): Following<Entered> {
  const { user, client, takesBatches } = socket.data;
  return follow<Entered>(socket, checks, {
    datasetOf: async (imageId) => (await visibleImage(db, user, imageId)).dataset.id,
    rooms: (imageId, datasetId) => [
      roomOf.image(imageId),
      takesBatches ? roomOf.batches(imageId) : roomOf.singles(imageId),
      roomOf.images(datasetId),
      roomOf.member(user.id, datasetId),
    ],
    enter(imageId, datasetId) {
      const present = presence.names(imageId);
      presence.enter(socket.id, { imageId, datasetId, username: user.username });
      if (isOlder(socket)) olderPages.enter(socket.id, { imageId, client });
      if (takesBatches) return { usernames: presence.names(imageId) };
      for (const username of present) socket.emit("annotating", { image_id: imageId, username, active: true });
      return undefined;
    },
    leave() {
      presence.leave(socket.id);
      olderPages.leave(socket.id);
    },
  });
}

function followList(socket: LiveSocket, { db, presence, checks }: Tools): Following<Listed> {
  const { user } = socket.data;
  return follow<Listed>(socket, checks, {
    datasetOf: async (datasetId) => (await visibleDataset(db, user, datasetId)).id,
    rooms: (datasetId) => [roomOf.list(datasetId), roomOf.listMember(user.id, datasetId)],
    enter: (datasetId) => ({ images: presence.ofDataset(datasetId) }),
    leave: () => undefined,
  });
}

interface Subject<A> {
  /** Returns the dataset's id. Throws 404 if the user may not see the image or dataset. */
  datasetOf(id: number): Promise<number>;
  rooms(id: number, datasetId: number): string[];
  /** Called once the rooms are joined. Returns the response to the page. */
  enter(id: number, datasetId: number): A | undefined;
  leave(): void;
}

function follow<A>(socket: LiveSocket, checks: Checks, subject: Subject<A>): Following<A> {
  let joined: string[] = [];
  let followed: number | undefined;
  const newest = new NewestRequest<FollowRequest<A>>(
    (work) => checks.turn(socket, work),
    async ({ id, respond }, isNewest) => {
      try {
        const datasetId = await subject.datasetOf(id);
        if (!isNewest() || !socket.connected) return;
        joined = subject.rooms(id, datasetId);
        void socket.join(joined);
        respond(subject.enter(id, datasetId));
      } catch (error) {
        if (error instanceof HttpError && error.status < 500) return;
        warn({ err: error }, "a socket could not follow an image or list; its page will retry");
        if (isNewest()) respond({ error: "unavailable" });
      }
    },
  );
  const leave = () => {
    followed = undefined;
    newest.request(undefined);
    for (const room of joined) void socket.leave(room);
    joined = [];
    subject.leave();
  };
  return {
    announce(id, active, respond) {
      if (!active && id !== followed) return;
      leave();
      if (!active) return;
      followed = id;
      newest.request({ id, respond });
    },
    leave,
  };
}

/**
 * Returns a function that calls the client's acknowledgement, without arguments for an empty response, as older clients
 * expect.
 */
function respondTo<A>(callback: unknown): Respond<A> {
  if (typeof callback !== "function") return () => undefined;
  return (response) => (response === undefined ? callback() : callback(response));
}
