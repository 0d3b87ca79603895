import { type Present, Roll } from "./roll";

/** A user came to an image, or left it. */
export interface PresenceChange extends Present {
  active: boolean;
  /** The socket of this process that it came with. */
  socketId?: string;
}

type Listener = (change: PresenceChange) => void;

/**
 * Presence: the users who have an image open. Nothing of it is stored: a process knows its own sockets, and hears of the users of the
 * others. A user is at an image once, with however many tabs.
 */
export class Presence {
  private readonly sockets = new Map<string, Present>();
  private readonly here = new Roll();
  /** Here and elsewhere: a user counts once a process. */
  private readonly everywhere = new Roll();
  private readonly elsewhere = new Map<string, Map<string, Present>>();
  private readonly listeners = new Set<Listener>();
  private readonly listenersHere = new Set<Listener>();

  /** Notes what a socket has open. */
  enter(socketId: string, present: Present): void {
    this.leave(socketId);
    this.sockets.set(socketId, present);
    if (!this.here.add(present)) return;
    this.notify(this.listenersHere, { ...present, active: true });
    this.add(present, socketId);
  }

  leave(socketId: string): void {
    const present = this.sockets.get(socketId);
    if (!present) return;
    this.sockets.delete(socketId);
    if (!this.here.remove(present)) return;
    this.notify(this.listenersHere, { ...present, active: false });
    this.remove(present, socketId);
  }

  /** Each name once, in the order of their coming. */
  names(imageId: number): string[] {
    return this.everywhere.names(imageId);
  }

  /** Of the dataset's images those that somebody has open. */
  ofDataset(datasetId: number): { image_id: number; usernames: string[] }[] {
    return this.everywhere.imagesOf(datasetId).map((id) => ({ image_id: id, usernames: this.names(id) }));
  }

  /** Those at this process. */
  peopleHere(): Present[] {
    return this.here.all();
  }

  /** Calls when somebody comes or goes who is at no other tab or process. */
  onChange(listener: Listener): void {
    this.listeners.add(listener);
  }

  /** Calls when somebody comes to this process or leaves it. */
  onChangeHere(listener: Listener): void {
    this.listenersHere.add(listener);
  }

  /** Takes in what another process says of its users. */
  hear(process: string, changes: readonly PresenceChange[]): void {
    const people = this.elsewhere.get(process) ?? new Map<string, Present>();
    this.elsewhere.set(process, people);
    for (const { active, ...present } of changes) {
      const key = keyOf(present);
      if (people.has(key) === active) continue;
      if (active) {
        people.set(key, present);
        this.add(present);
      } else {
        people.delete(key);
        this.remove(present);
      }
    }
  }

  /** Takes in all users of another process. */
  hearAll(process: string, people: readonly Present[]): void {
    const now = new Set(people.map(keyOf));
    const gone = [...(this.elsewhere.get(process) ?? [])].filter(([key]) => !now.has(key));
    this.hear(process, [
      ...people.map((present) => ({ ...present, active: true })),
      ...gone.map(([, present]) => ({ ...present, active: false })),
    ]);
  }

  /** Forgets the users of a process that is gone. */
  forget(process: string): void {
    this.hearAll(process, []);
    this.elsewhere.delete(process);
  }

  private add(present: Present, socketId?: string): void {
    if (this.everywhere.add(present))
      this.notify(this.listeners, { ...present, active: true, ...(socketId && { socketId }) });
  }

  private remove(present: Present, socketId?: string): void {
    if (this.everywhere.remove(present))
      this.notify(this.listeners, { ...present, active: false, ...(socketId && { socketId }) });
  }

  private notify(listeners: Iterable<Listener>, change: PresenceChange): void {
    for (const listener of listeners) listener(change);
  }
}

/** Of a user at an image. */
export const keyOf = ({ imageId, username }: Pick<Present, "imageId" | "username">): string => `${imageId} ${username}`;
