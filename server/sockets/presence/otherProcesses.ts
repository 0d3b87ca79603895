import type { Presence } from "../../live/presence";
import type { Present } from "../../live/presentUsers";
import type { PresenceMessage, WirePresent } from "../../live/processEvents";

/** Silence after which a process counts as ended: five missing heartbeats. */
const GONE_AFTER_MS = 5_000;
const REQUEST_AGAIN_MS = 1_000;
const CHECK_MS = 1_000;
/** Number of ended processes to remember, since the last messages of a process may arrive out of order. */
const MAX_ENDED = 100;

interface Other {
  /** Number of the last change received from it; -1 if none. */
  number: number;
  seen: number;
  requestedAt: number;
}

/** Tracks the users of other processes, and detects missed messages and dead processes. */
export class OtherProcesses {
  private readonly others = new Map<string, Other>();
  private readonly ended = new Set<string>();
  private checked = performance.now();

  constructor(
    private readonly presence: Presence,
    /** Requests all users of a process. */
    private readonly ask: (process: string) => void,
  ) {}

  receiveMessage(message: Exclude<PresenceMessage, { kind: "ask" }>): void {
    const { kind, from } = message;
    if (this.ended.has(from)) return;
    if (kind === "gone") {
      this.end(from);
      return;
    }
    const other = this.others.get(from) ?? { number: -1, seen: 0, requestedAt: Number.NEGATIVE_INFINITY };
    this.others.set(from, other);
    other.seen = performance.now();
    if (kind === "all" && message.number >= other.number) {
      this.presence.applyAll(from, message.people.map(presentOf));
      other.number = message.number;
    }
    if (kind === "changes" && message.number === other.number + 1 && other.number >= 0) {
      const changes = message.changes.map(([imageId, datasetId, username, active]) => ({
        ...presentOf([imageId, datasetId, username]),
        active,
      }));
      this.presence.applyChanges(from, changes);
      other.number = message.number;
    }
    if (message.number > other.number) this.requestAll(from, other);
  }

  /** Removes the users of silent processes. Called once a second. */
  forgetSilent(): void {
    const now = performance.now();
    // If this process itself was paused, it received no messages in that time.
    const pausedMs = Math.max(0, now - this.checked - CHECK_MS);
    this.checked = now;
    for (const [process, other] of this.others) {
      other.seen += pausedMs;
      if (now - other.seen < GONE_AFTER_MS) continue;
      this.others.delete(process);
      this.presence.forget(process);
    }
  }

  private end(process: string): void {
    this.others.delete(process);
    this.presence.forget(process);
    this.ended.add(process);
    const [oldest] = this.ended;
    if (this.ended.size > MAX_ENDED && oldest !== undefined) this.ended.delete(oldest);
  }

  private requestAll(process: string, other: Other): void {
    const now = performance.now();
    if (now - other.requestedAt < REQUEST_AGAIN_MS) return;
    other.requestedAt = now;
    this.ask(process);
  }
}

const presentOf = ([imageId, datasetId, username]: WirePresent): Present => ({ imageId, datasetId, username });
