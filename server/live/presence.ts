import { type Present, PresentUsers } from "./presentUsers";

/** A user opened an image or left it. */
export interface PresenceChange extends Present {
  active: boolean;
  /** The socket that caused the change, if it belongs to this process. */
  socketId?: string;
}

type Listener = (change: PresenceChange) => void;

/**
 * Presence: which users have which image open. It is not stored: a process knows its own sockets and receives the users
 * of other processes. A user counts once per image, with any number of tabs.
 */
export class Presence {
  private readonly sockets = new Map<string, Present>();
  private readonly here = new PresentUsers();
  /** Users of this and of other processes; a user counts once per process. */
  private readonly everywhere = new PresentUsers();
  private readonly elsewhere = new Map<string, Map<string, Present>>();
  private readonly listeners = new Set<Listener>();
  private readonly listenersHere = new Set<Listener>();

  /** Records the image that a socket has open. */
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

  /** Returns each name once, in order of arrival. */
  names(imageId: number): string[] {
    return this.everywhere.names(imageId);
  }

  /** Returns the dataset's images that are open, with their users. */
  ofDataset(datasetId: number): { image_id: number; usernames: string[] }[] {
    return this.everywhere.imagesOf(datasetId).map((id) => ({ image_id: id, usernames: this.names(id) }));
  }

  /** Returns the users whose sockets belong to this process, with their images. */
  usersHere(): Present[] {
    return this.here.all();
  }

  /** Calls `listener` when a user opens or leaves an image, counting all tabs and processes. */
  onChange(listener: Listener): void {
    this.listeners.add(listener);
  }

  /** Calls `listener` when a user opens or leaves an image, counting only the tabs of this process. */
  onChangeHere(listener: Listener): void {
    this.listenersHere.add(listener);
  }

  /** Applies changes of the users of another process. */
  applyChanges(process: string, changes: readonly PresenceChange[]): void {
    const users = this.elsewhere.get(process) ?? new Map<string, Present>();
    this.elsewhere.set(process, users);
    for (const { active, ...present } of changes) {
      const key = keyOf(present);
      if (users.has(key) === active) continue;
      if (active) {
        users.set(key, present);
        this.add(present);
      } else {
        users.delete(key);
        this.remove(present);
      }
    }
  }

  /** Replaces the users of another process. */
  applyAll(process: string, users: readonly Present[]): void {
    const now = new Set(users.map(keyOf));
    const gone = [...(this.elsewhere.get(process) ?? [])].filter(([key]) => !now.has(key));
    this.applyChanges(process, [
      ...users.map((present) => ({ ...present, active: true })),
      ...gone.map(([, present]) => ({ ...present, active: false })),
    ]);
  }

  /** Removes the users of a process that has ended. */
  forget(process: string): void {
    this.applyAll(process, []);
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

/** Returns a key for a user at an image. */
export const keyOf = ({ imageId, username }: Pick<Present, "imageId" | "username">): string => `${imageId} ${username}`;
