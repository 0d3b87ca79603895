import type { Kysely } from "kysely";
import type { PresenceChange as PresenceEvent } from "../../../shared/events";
import { warnSeldom } from "../../base/log";
import type { Schema } from "../../db/schema";
import { keyOf, type Presence, type PresenceChange } from "../../live/presence";
import { roomOf } from "../../live/rooms";
import type { LiveServer } from "../../live/socketLive";
import { Batches } from "./batches";

const BATCH_MS = 250;
/** Delay per message, which limits the rate to 4,000 messages per second, however many sockets there are. */
const MS_PER_MESSAGE = 0.25;
/** Maximum number of single events sent to older clients in one batch; the others wait for the next batch. */
const MAX_SINGLES = 1_000;

const warn = warnSeldom();

/** Newest state of each name that has changed at an image since the last batch. */
interface ImageChanges {
  datasetId: number;
  names: Map<string, boolean>;
}

/**
 * Notifies this process's sockets of users who open and leave images: sockets that have the image open, and those that
 * show its dataset's list. Sends in batches, less often the more sockets there are, so that the number of messages
 * grows linearly with them and not quadratically.
 */
export class Announcer {
  private images = new Map<number, ImageChanges>();
  /** Changes for older clients, by user and image. */
  private readonly singles = new Map<string, PresenceChange>();
  private readonly batches = new Batches(() => this.sendAll());

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

  /** Sends all changes. Returns the milliseconds until the next batch. */
  private async sendAll(): Promise<number> {
    const sent = this.sendBatches() + (await this.sendSingles());
    return Math.max(BATCH_MS, sent * MS_PER_MESSAGE);
  }

  /** Returns the number of messages sent. */
  private sendBatches(): number {
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

  /** Notifies older clients of all images that their users may see, since they do not send which list they show. */
  private async sendSingles(): Promise<number> {
    if (this.singles.size === 0) return 0;
    const members = await usersOf(this.db, new Set([...this.singles.values()].map(({ datasetId }) => datasetId))).catch(
      (error: unknown) => {
        warn({ err: error }, "presence could not be sent to older clients");
        return new Map<number, number[]>();
      },
    );
    let sent = 0;
    for (const [key, { imageId, datasetId, username, active, socketId }] of this.singles) {
      if (sent >= MAX_SINGLES) break;
      this.singles.delete(key);
      const users = (members.get(datasetId) ?? []).map(roomOf.userSingles);
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

/** Returns the users, other than admins, who may see each dataset: owner and members. */
async function usersOf(db: Kysely<Schema>, datasetIds: ReadonlySet<number>): Promise<Map<number, number[]>> {
  const ids = [...datasetIds];
  const owners = db.selectFrom("datasets").select(["id as datasetId", "owner_id as userId"]).where("id", "in", ids);
  const members = db
    .selectFrom("dataset_members")
    .select(["dataset_id as datasetId", "user_id as userId"])
    .where("dataset_id", "in", ids);
  const users = new Map<number, number[]>();
  for (const { datasetId, userId } of await owners.unionAll(members).execute())
    if (userId !== null) users.set(datasetId, [...(users.get(datasetId) ?? []), userId]);
  return users;
}
