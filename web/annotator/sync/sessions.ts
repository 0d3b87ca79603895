import type { WorkSession } from "../../../shared/edits/edit";
import { uuid } from "../../io/uuid";
import { Attention } from "./attention";

/**
 * Minimum duration of a recorded session, in milliseconds. Shorter sessions come from annotations selected in passing.
 */
export const SHORTEST_MS = 300;
/**
 * Duration in milliseconds after which a session is recorded and a new one begins, so that a browser crash loses
 * little.
 */
export const PIECE_MS = 120_000;
/** Maximum number of tools per session that the server accepts. */
const MAX_TOOLS = 1000;

export interface SessionPorts {
  imageId: number;
  /** Name of the active tool. */
  tool: () => string;
  record: (session: WorkSession) => void;
  /** Returns milliseconds of a monotonic clock, to measure working time. */
  now?: () => number;
  /** Returns milliseconds since 1970, for start times only, because the user may change this clock. */
  today?: () => number;
}

interface Running {
  annotation: string | null;
  start: number;
  /** Working time at the start of the session, in milliseconds. */
  from: number;
  tools: string[];
}

/**
 * Records working time: one session for each time that an annotation is selected, and one for the image while it is
 * open and visible. Idle time is cut off (see Attention). Sessions end when the page is hidden, because it may never be
 * shown again.
 */
export class Sessions {
  private readonly attention: Attention;
  private readonly today: () => number;
  private image: Running | null;
  private annotation: Running | null = null;
  /** Uuid of the selected annotation, kept while the page is hidden. */
  private selected: string | null = null;
  private isClosed = false;

  constructor(private readonly ports: SessionPorts) {
    this.attention = new Attention(ports.now ?? (() => performance.now()));
    this.today = ports.today ?? Date.now;
    this.image = this.begin(null);
  }

  /** Must be called when the pointer or a key was used, before the input takes effect. */
  input(): void {
    this.attention.input();
    this.image = this.split(this.image);
    this.annotation = this.split(this.annotation);
  }

  /** Must be called when another annotation, or none, is selected. */
  selectAnnotation(uuid: string | null): void {
    if (uuid === this.selected) return;
    this.selected = uuid;
    this.end(this.annotation);
    this.annotation = this.image && uuid !== null ? this.begin(uuid) : null;
  }

  addTool(name: string): void {
    for (const running of [this.image, this.annotation])
      if (running && running.tools.length < MAX_TOOLS) running.tools.push(name);
  }

  /** Ends all sessions, because the page is hidden or being left. */
  pause(): void {
    this.attention.pause();
    this.end(this.image);
    this.end(this.annotation);
    this.image = null;
    this.annotation = null;
  }

  resume(): void {
    if (this.isClosed) return;
    this.attention.resume();
    this.image ??= this.begin(null);
    if (this.selected !== null) this.annotation ??= this.begin(this.selected);
  }

  close(): void {
    this.isClosed = true;
    this.pause();
  }

  private begin(annotation: string | null): Running {
    return { annotation, start: this.today(), from: this.attention.reading, tools: [this.ports.tool()] };
  }

  private split(running: Running | null): Running | null {
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
