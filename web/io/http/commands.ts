import { addressOf, type Parts } from "../../../shared/api/protocol/address";
import type { Call } from "../../../shared/api/protocol/call";
import { uuid } from "../uuid";
import { sessionSignal } from "./sessionCalls";

/** A command for which no response came, so that the server may have executed it. */
interface CommandWithoutResponse {
  id: string;
  kind: string;
  target: string;
  /** Position of the command's end in the order of all starts and ends of commands. */
  ended: number;
  /** Time until which the id may be used again, by `performance.now()`. */
  until: number;
}

/** A command that is running. */
export interface Command {
  /** Identifies the command, so that the server executes it only once. */
  id: string;
  /** Must be called once. `isKnown`: true if the outcome is known from the response. */
  end(isKnown: boolean): void;
}

/** Time for which the server remembers the outcome of a command, in milliseconds. */
const KEEP_MS = 9 * 60_000;

/** Commands without a response, by session and then by request. */
const bySession = new WeakMap<AbortSignal, Map<string, CommandWithoutResponse>>();
let order = 0;
/** Number of running commands, and callbacks for when the last one ends. */
let runningCount = 0;
const idleListeners: (() => void)[] = [];

/** Returns true for calls that change something on the server. */
export const isCommand = ({ method, changes = method !== "GET" }: Call): boolean => changes;

/** Resolves once no command is running. Commands always end, because one without a response times out. */
export function waitForCommands(): Promise<void> {
  return runningCount === 0 ? Promise.resolve() : new Promise((resolve) => idleListeners.push(resolve));
}

/** Returns true if an identical command got no response, so that the server may have executed it. */
export const mayBeExecuted = (call: Call, parts: Parts): boolean => knownWithoutResponse(call, parts) !== undefined;

const keyOf = (call: Call, parts: Parts): string =>
  `${call.method} ${addressOf(call, parts)} ${JSON.stringify(parts.body)}`;

function knownWithoutResponse(call: Call, parts: Parts): CommandWithoutResponse | undefined {
  const known = bySession.get(sessionSignal())?.get(keyOf(call, parts));
  return known && known.until > performance.now() ? known : undefined;
}

/**
 * Begins a command with a new id. If the user repeats an identical command that got no response, its id is used again.
 * After a later command on the same target, or of another kind, an identical request counts as a new command.
 */
export function beginCommand(call: Call, parts: Parts): Command {
  const session = sessionSignal();
  const withoutResponse = bySession.get(session) ?? new Map<string, CommandWithoutResponse>();
  bySession.set(session, withoutResponse);
  const kind = `${call.method} ${call.path}`;
  const target = addressOf(call, parts);
  const key = keyOf(call, parts);
  const id = knownWithoutResponse(call, parts)?.id ?? uuid();
  withoutResponse.delete(key);
  const began = ++order;
  runningCount += 1;
  return {
    id,
    end(isKnown) {
      runningCount -= 1;
      if (runningCount === 0) for (const resolve of idleListeners.splice(0)) resolve();
      if (!isKnown) withoutResponse.set(key, { id, kind, target, ended: ++order, until: performance.now() + KEEP_MS });
      else forgetOlder(withoutResponse, { kind, target, began });
    },
  };
}

/**
 * Forgets older commands. Keeps commands of the same kind for other targets, since a user may change many things in a
 * row.
 */
function forgetOlder(
  withoutResponse: Map<string, CommandWithoutResponse>,
  { kind, target, began }: { kind: string; target: string; began: number },
): void {
  for (const [key, other] of withoutResponse)
    if (other.ended < began && (other.kind !== kind || other.target === target)) withoutResponse.delete(key);
}
