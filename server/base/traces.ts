import { endsWithin } from "../../shared/async/timeLimit";

const CLOSE_MS = 3_000;

/** Attributes of a span, by the names of OpenTelemetry's semantic conventions. */
export type Attributes = Record<string, string | number | boolean>;

/** A started span. */
export interface Span {
  /** Names the span anew and adds attributes to it. */
  describe(name: string, attributes: Attributes): void;
  /** Marks the span as failed. Of an error, only its code or name is sent: its message may quote what a user wrote. */
  fail(reason: unknown): void;
  end(): void;
}

/** Spans of this process. Started inside another one, a span is its child. */
export interface Traces {
  /** Runs `work` in a span for a request, as a child of the span that the headers name. `work` ends the span. */
  inRequest<T>(headers: Record<string, unknown>, name: string, attributes: Attributes, work: (span: Span) => T): T;
  /** Runs `work` in a span, which ends with it. */
  inSpan<T>(name: string, attributes: Attributes, work: () => Promise<T>): Promise<T>;
  /** Adds a span for a call that has ended, e.g. to the database. */
  addCall(name: string, attributes: Attributes, call: { ms: number; error?: unknown }): void;
  /** Returns the id of the running trace, for the log. */
  traceId(): string | undefined;
  /** Sends what has not been sent yet. */
  close(): Promise<void>;
}

let traces: Traces | undefined;

/** Runs `work`, in a span if traces are on. */
export const inSpan = <T>(name: string, attributes: Attributes, work: () => Promise<T>): Promise<T> =>
  traces ? traces.inSpan(name, attributes, work) : work();

/** Returns the traces of this process; undefined if they are off. */
export const currentTraces = (): Traces | undefined => traces;

export function setTraces(next: Traces | undefined): void {
  traces = next;
}

/** Sends what has not been sent yet. Gives up on a receiver that does not respond. */
export async function closeTraces(): Promise<void> {
  await endsWithin(CLOSE_MS, traces?.close() ?? Promise.resolve()).catch(() => false);
}
