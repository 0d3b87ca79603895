import { createStore } from "zustand/vanilla";
import { MAX_POINTED, type OthersPointing, type Pointing } from "../../../shared/events";

/** Pause between two messages about the user's own pointer, in milliseconds. */
const EVERY_MS = 100;

type Own = Omit<Pointing, "image_id">;

/**
 * Pointers and selections on an image: those of the other users, and the user's own as the others see it. Nothing is
 * sent while nobody else has the image open.
 */
export class Others {
  /** The last message of each tab of another user that points or has a selection. */
  readonly store = createStore<ReadonlyMap<string, OthersPointing>>(() => new Map());
  private own: Own = { place: null, selected: [] };
  private names: readonly string[] = [];
  private send: (own: Own) => void = () => undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private isDue = false;

  /** `username`: the user's own name; null if there are no accounts, when users cannot be told apart. */
  constructor(private readonly username: string | null) {}

  /** Starts sending with this function. Returns a function that stops it. */
  connect(send: (own: Own) => void): () => void {
    this.send = send;
    return () => {
      clearTimeout(this.timer);
      this.send = () => undefined;
    };
  }

  /** Sets the users who have the image open. Those who have just come are sent the user's selection. */
  setUsers(users: readonly string[]): void {
    this.names = this.username === null ? [] : users.filter((name) => name !== this.username);
    const left = [...this.store.getState().values()].filter(({ username }) => !this.names.includes(username));
    if (left.length > 0) this.remove(left);
    if (this.own.place || this.own.selected.length > 0) this.sendSoon();
  }

  receive(event: OthersPointing): void {
    if (this.username === null || event.username === this.username) return;
    if (event.place === null && event.selected.length === 0) this.remove([event]);
    else this.store.setState(new Map(this.store.getState()).set(event.from, event), true);
  }

  /** Sets the position of the user's pointer in image pixels; null if it is not over the canvas. */
  point(place: { x: number; y: number } | null): void {
    this.own = { ...this.own, place: place && [Math.round(place.x), Math.round(place.y)] };
    this.sendSoon();
  }

  /** Sets the annotations that the user has selected. */
  select(uuids: Iterable<string>): void {
    this.own = { ...this.own, selected: [...uuids].slice(0, MAX_POINTED) };
    this.sendSoon();
  }

  private remove(events: readonly OthersPointing[]): void {
    const rest = new Map(this.store.getState());
    for (const { from } of events) rest.delete(from);
    this.store.setState(rest, true);
  }

  /** Sends the newest state now, or when the pause since the last message is over. */
  private sendSoon(): void {
    if (this.names.length === 0) return;
    if (this.timer !== undefined) {
      this.isDue = true;
      return;
    }
    this.send(this.own);
    this.isDue = false;
    this.timer = setTimeout(() => {
      this.timer = undefined;
      if (this.isDue) this.sendSoon();
    }, EVERY_MS);
  }
}
