import type { Presence } from "../../live/presence";
import type { PresenceMessage, WirePresent } from "../../live/processEvents";
import type { Present } from "../../live/roll";

/** A process is gone that has given no sign of life for so long: five are missing. */
const GONE_AFTER_MS = 5_000;
const ASK_AGAIN_AFTER_MS = 1_000;
const CHECK_MS = 1_000;
/** Of processes that have ended, since the last words of one may overtake each other. */
const MAX_ENDED = 100;

interface Other {
  /** Of its last change that is known here; -1 where nothing is. */
  number: number;
  seen: number;
  asked: number;
}

/** Keeps up with the users of other processes, and notices those that have missed messages or died. */
export class OtherProcesses {
  private readonly others = new Map<string, Other>();
  private readonly ended = new Set<string>();
  private checked = performance.now();

  constructor(
    private readonly presence: Presence,
    /** Asks a process for all its users. */
    private readonly ask: (process: string) => void,
  ) {}

  hear(message: Exclude<PresenceMessage, { kind: "ask" }>): void {
    const { kind, from } = message;
    if (this.ended.has(from)) return;
    if (kind === "gone") {
      this.end(from);
      return;
    }
    const other = this.others.get(from) ?? { number: -1, seen: 0, asked: Number.NEGATIVE_INFINITY };
    this.others.set(from, other);
    other.seen = performance.now();
    if (kind === "all" && message.number >= other.number) {
      this.presence.hearAll(from, message.people.map(presentOf));
      other.number = message.number;
    }
    if (kind === "changes" && message.number === other.number + 1 && other.number >= 0) {
      const changes = message.changes.map(([imageId, datasetId, username, active]) => ({
        ...presentOf([imageId, datasetId, username]),
        active,
      }));
      this.presence.hear(from, changes);
      other.number = message.number;
    }
    if (message.number > other.number) this.askFor(from, other);
  }

  /** Called once a second: forgets the users of processes that have fallen silent. */
  forgetSilent(): void {
    const now = performance.now();
    // A process that has itself stood still has heard nobody meanwhile.
    const stoodStill = Math.max(0, now - this.checked - CHECK_MS);
    this.checked = now;
    for (const [process, other] of this.others) {
      other.seen += stoodStill;
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

  private askFor(process: string, other: Other): void {
    const now = performance.now();
    if (now - other.asked < ASK_AGAIN_AFTER_MS) return;
    other.asked = now;
    this.ask(process);
  }
}

const presentOf = ([imageId, datasetId, username]: WirePresent): Present => ({ imageId, datasetId, username });
