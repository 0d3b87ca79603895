import type { WorkSession } from "../../../shared/edits/edit";
import { uuid } from "../../io/uuid";
import { Attention } from "./attention";

/** Shorter ones say nothing: the selection only passed by. */
export const SHORTEST_MS = 300;
/** Longer ones are recorded in pieces, so that a browser that dies takes little with it. */
export const PIECE_MS = 120_000;
/** As many tools as the server takes. */
const MAX_TOOLS = 1000;

export interface SessionPorts {
  imageId: number;
  /** Name of the active tool. */
  tool: () => string;
  record: (session: WorkSession) => void;
  /** Milliseconds of a monotonic clock: work is measured with it. */
  now?: () => number;
  /** Milliseconds since 1970, which a person may set: it only says when. */
  today?: () => number;
}

interface Running {
  annotation: string | null;
  start: number;
  /** The clock's reading at the start. */
  from: number;
  tools: string[];
}

/**
 * Time at work: one record for each time that an annotation is in hand, and one for the image while it is open and
 * seen. Idle time is cut off (see Attention). A record ends when the page is hidden or left, as nothing may come after.
 */
export class Sessions {
  private readonly attention: Attention;
  private readonly today: () => number;
  private image: Running | null;
  private hand: Running | null = null;
  /** The selected annotation, also while the page is hidden. */
  private held: string | null = null;
  private isClosed = false;

  constructor(private readonly ports: SessionPorts) {
    this.attention = new Attention(ports.now ?? (() => performance.now()));
    this.today = ports.today ?? Date.now;
    this.image = this.begin(null);
  }

  /** The pointer or a key has been used: to be called before what that does. */
  input(): void {
    this.attention.input();
    this.image = this.inPieces(this.image);
    this.hand = this.inPieces(this.hand);
  }

  /** Another annotation, or none, is in hand. */
  hold(annotation: string | null): void {
    if (annotation === this.held) return;
    this.held = annotation;
    this.end(this.hand);
    this.hand = this.image && annotation !== null ? this.begin(annotation) : null;
  }

  takeTool(name: string): void {
    for (const running of [this.image, this.hand])
      if (running && running.tools.length < MAX_TOOLS) running.tools.push(name);
  }

  /** The page is not seen any more, or is about to go. */
  pause(): void {
    this.attention.pause();
    this.end(this.image);
    this.end(this.hand);
    this.image = null;
    this.hand = null;
  }

  resume(): void {
    if (this.isClosed) return;
    this.attention.resume();
    this.image ??= this.begin(null);
    if (this.held !== null) this.hand ??= this.begin(this.held);
  }

  close(): void {
    this.isClosed = true;
    this.pause();
  }

  private begin(annotation: string | null): Running {
    return { annotation, start: this.today(), from: this.attention.reading, tools: [this.ports.tool()] };
  }

  private inPieces(running: Running | null): Running | null {
    if (!running || this.attention.reading - running.from < PIECE_MS) return running;
    this.end(running);
    return this.begin(running.annotation);
  }

  private end(running: Running | null): void {
    if (!running) return;
    const { annotation, start, from, tools } = running;
    const milliseconds = Math.round(this.attention.reading - from);
    if (milliseconds < SHORTEST_MS) return;
    const { imageId, record } = this.ports;
    record({ uuid: uuid(), image_id: imageId, annotation_uuid: annotation, start, milliseconds, tools });
  }
}
