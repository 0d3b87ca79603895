import type { Kysely } from "kysely";
import { z } from "zod";
import { id } from "../../shared/entities/scalars";
import type { Entered, Listed, Unavailable } from "../../shared/events";
import { HttpError } from "../base/errors";
import { warnSeldom } from "../base/log";
import type { Schema } from "../db/schema";
import { visibleDataset, visibleImage } from "../features/access/access";
import type { Presence } from "../live/presence";
import { roomOf } from "../live/rooms";
import type { LiveServer } from "../live/socketLive";
import type { Checks } from "./limits/checks";
import { NewestWish } from "./newestWish";

const announcement = z.object({ image_id: id, active: z.boolean() });
const listing = z.object({ dataset_id: id, active: z.boolean() });

type LiveSocket = Parameters<Parameters<LiveServer["use"]>[0]>[0];
type Answer<A> = (answer?: A | Unavailable) => void;

const warn = warnSeldom();

interface Tools {
  io: LiveServer;
  db: Kysely<Schema>;
  presence: Presence;
  checks: Checks;
}

/**
 * A page says which image it has open, or which dataset's list it shows, one of each at a time, and hears from then on of
 * its changes and users. What is malformed, and what the user may not see, is answered with silence.
 */
export function followImages(tools: Tools): void {
  tools.io.on("connection", (socket) => {
    const image = followImage(socket, tools);
    const list = followList(socket, tools);
    socket.on("annotating", (event: unknown, entered?: unknown) => {
      const { data } = announcement.safeParse(event);
      if (data) image.announce(data.image_id, data.active, answerOf<Entered>(entered));
    });
    socket.on("listing", (event: unknown, listed?: unknown) => {
      const { data } = listing.safeParse(event);
      if (data) list.announce(data.dataset_id, data.active, answerOf<Listed>(listed));
    });
    socket.on("disconnect", () => {
      image.leave();
      list.leave();
    });
  });
}

interface Wish<A> {
  id: number;
  answer: Answer<A>;
}

/** One subject at a time, which a socket follows after a check. */
interface Following<A> {
  announce(id: number, active: boolean, answer: Answer<A>): void;
  leave(): void;
}

function followImage(socket: LiveSocket, { db, presence, checks }: Tools): Following<Entered> {
  const { user, takesBatches } = socket.data;
  return follow<Entered>(socket, checks, {
    datasetOf: async (imageId) => (await visibleImage(db, user, imageId)).dataset.id,
    rooms: (imageId, datasetId) => [
      roomOf.image(imageId),
      takesBatches ? roomOf.batches(imageId) : roomOf.singles(imageId),
      roomOf.member(user.id, datasetId),
    ],
    enter(imageId, datasetId) {
      const there = presence.names(imageId);
      presence.enter(socket.id, { imageId, datasetId, username: user.username });
      if (takesBatches) return { usernames: presence.names(imageId) };
      for (const username of there) socket.emit("annotating", { image_id: imageId, username, active: true });
      return undefined;
    },
    leave: () => presence.leave(socket.id),
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
  /** Throws 404 for what the user may not see. */
  datasetOf(id: number): Promise<number>;
  rooms(id: number, datasetId: number): string[];
  /** Called once the rooms are joined. Returns what the page is answered. */
  enter(id: number, datasetId: number): A | undefined;
  leave(): void;
}

function follow<A>(socket: LiveSocket, checks: Checks, subject: Subject<A>): Following<A> {
  let joined: string[] = [];
  let followed: number | undefined;
  const newest = new NewestWish<Wish<A>>(
    (work) => checks.turn(socket, work),
    async ({ id, answer }, isNewest) => {
      try {
        const datasetId = await subject.datasetOf(id);
        if (!isNewest() || !socket.connected) return;
        joined = subject.rooms(id, datasetId);
        void socket.join(joined);
        answer(subject.enter(id, datasetId));
      } catch (error) {
        if (error instanceof HttpError && error.status < 500) return;
        warn({ err: error }, "a socket could not follow an image or list; its page is told to try again");
        if (isNewest()) answer({ error: "unavailable" });
      }
    },
  );
  const leave = () => {
    followed = undefined;
    newest.want(undefined);
    for (const room of joined) void socket.leave(room);
    joined = [];
    subject.leave();
  };
  return {
    announce(id, active, answer) {
      if (!active && id !== followed) return;
      leave();
      if (!active) return;
      followed = id;
      newest.want({ id, answer });
    },
    leave,
  };
}

/** Without arguments where there is nothing to say, as clients of before know it. */
function answerOf<A>(callback: unknown): Answer<A> {
  if (typeof callback !== "function") return () => undefined;
  return (answer) => (answer === undefined ? callback() : callback(answer));
}
