import type { Kysely } from "kysely";
import type { PresenceChange as PresenceEvent } from "../../../shared/events";
import { warnSeldom } from "../../base/log";
import type { Schema } from "../../db/schema";
import { keyOf, type Presence, type PresenceChange } from "../../live/presence";
import { roomOf } from "../../live/rooms";
import type { LiveServer } from "../../live/socketLive";
import { Batches } from "./batches";

const BATCH_MS = 250;
/** However many sockets look on, so much time passes for each message: 4,000 a second at most. */
const MS_PER_MESSAGE = 0.25;
/** Of the single events that older clients get in one batch; the rest waits for the next. */
const MAX_SINGLES = 1_000;

const warn = warnSeldom();

/** The newest state of each name that has changed at an image since it was told last. */
interface ImageChanges {
  datasetId: number;
  names: Map<string, boolean>;
}

/**
 * Notifies this process's sockets of users who come and go: those that have the image open, and those that show its dataset's
 * list. A batch at a time; the more sockets there are the later, so that messages grow with their number and not with its
 * square.
 */
export class Announcer {
  private images = new Map<number, ImageChanges>();
  /** For older clients, by user and image. */
  private readonly singles = new Map<string, PresenceChange>();
  private readonly batches = new Batches(() => this.tell());

  constructor(
    private readonly io: LiveServer,
    private readonly db: Kysely<Schema>,
    presence: Presence,
  ) {
    presence.onChange((change) => this.note(change));
  }

  stop(): void {
    this.batches.stop();
  }

  private note(change: PresenceChange): void {
    const { imageId, datasetId, username, active } = change;
    const image = this.images.get(imageId) ?? { datasetId, names: new Map<string, boolean>() };
    this.images.set(imageId, image);
    image.names.set(username, active);
    if (this.sizeOf(roomOf.allSingles) > 0) this.singles.set(keyOf(change), change);
    this.batches.sendSoon();
  }

  /** Returns how long the next batch waits, in milliseconds. */
  private async tell(): Promise<number> {
    const sent = this.tellBatches() + (await this.tellSingles());
    return Math.max(BATCH_MS, sent * MS_PER_MESSAGE);
  }

  /** Returns how many messages were sent. */
  private tellBatches(): number {
    const changed = this.images;
    this.images = new Map();
    const lists = new Map<number, PresenceEvent[]>();
    let sent = 0;
    for (const [imageId, { datasetId, names }] of changed) {
      const event = eventOf(imageId, names);
      sent += this.emit(roomOf.batches(imageId), [event]);
      lists.set(datasetId, [...(lists.get(datasetId) ?? []), event]);
    }
    for (const [datasetId, events] of lists) sent += this.emit(roomOf.list(datasetId), events);
    return sent;
  }

  private emit(room: string, events: PresenceEvent[]): number {
    const size = this.sizeOf(room);
    if (size > 0) this.io.local.to(room).emit("presence", events);
    return size;
  }

  /** Older clients hear of all images that their users may see, since they never say which list they show. */
  private async tellSingles(): Promise<number> {
    if (this.singles.size === 0) return 0;
    const people = await peopleOf(this.db, new Set([...this.singles.values()].map(({ datasetId }) => datasetId))).catch(
      (error: unknown) => {
        warn({ err: error }, "older clients could not be told who is at which image of their lists");
        return new Map<number, number[]>();
      },
    );
    let sent = 0;
    for (const [key, { imageId, datasetId, username, active, socketId }] of this.singles) {
      if (sent >= MAX_SINGLES) break;
      this.singles.delete(key);
      const users = (people.get(datasetId) ?? []).map(roomOf.userSingles);
      const rooms = [roomOf.singles(imageId), roomOf.everythingSingles, ...users].filter(
        (room) => this.sizeOf(room) > 0,
      );
      if (rooms.length === 0) continue;
      const event = { image_id: imageId, username, active };
      this.io.local
        .to(rooms)
        .except(socketId ?? [])
        .emit("annotating", event);
      sent += rooms.reduce((sum, room) => sum + this.sizeOf(room), 0);
    }
    if (this.singles.size > 0) this.batches.sendSoon();
    return sent;
  }

  private sizeOf(room: string): number {
    return this.io.of("/").adapter.rooms.get(room)?.size ?? 0;
  }
}

function eventOf(imageId: number, names: ReadonlyMap<string, boolean>): PresenceEvent {
  const named = (active: boolean) => [...names].flatMap(([name, isActive]) => (isActive === active ? name : []));
  return { image_id: imageId, joined: named(true), left: named(false) };
}

/** Returns who may see each of the datasets beside admins: owner and members. */
async function peopleOf(db: Kysely<Schema>, datasetIds: ReadonlySet<number>): Promise<Map<number, number[]>> {
  const ids = [...datasetIds];
  const owners = db.selectFrom("datasets").select(["id as datasetId", "owner_id as userId"]).where("id", "in", ids);
  const members = db
    .selectFrom("dataset_members")
    .select(["dataset_id as datasetId", "user_id as userId"])
    .where("dataset_id", "in", ids);
  const people = new Map<number, number[]>();
  for (const { datasetId, userId } of await owners.unionAll(members).execute())
    if (userId !== null) people.set(datasetId, [...(people.get(datasetId) ?? []), userId]);
  return people;
}
