import { addressOf, type Parts } from "../../../shared/api/protocol/address";
import type { Call } from "../../../shared/api/protocol/call";
import { uuid } from "../uuid";
import { sessionSignal } from "./sessionCalls";

/** A command that the user sent, and no response came: the server may have done it. */
interface Unanswered {
  id: string;
  kind: string;
  target: string;
  /** Place in the order in which commands begin and end. */
  ended: number;
  until: number;
}

/** A command that is on its way. */
export interface Command {
  /** Names it to the server, which does it once. */
  id: string;
  /** To be called once. `isKnown`: whether the response says what became of it. */
  end(isKnown: boolean): void;
}

/** As long as the server keeps what came of it. */
const KEEP_MS = 9 * 60_000;

/** Of each session, by what they ask for. */
const bySession = new WeakMap<AbortSignal, Map<string, Unanswered>>();
let order = 0;
/** Number of those on their way, and who waits for the last. */
let underWay = 0;
const waiting: (() => void)[] = [];

/** True for calls that change something on the server. */
export const isCommand = ({ method, changes = false }: Call): boolean => changes || method !== "GET";

/** Resolves once no command is on its way. Each ends: one that is never answered is given up. */
export function commandsOver(): Promise<void> {
  return underWay === 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve));
}

/**
 * Begins a command. It has a new id, but for one that the user has sent before in the same words without a response: that
 * one's. After another change, of the same thing or of another kind, the same words are a new command.
 */
export function beginCommand(call: Call, parts: Parts): Command {
  const session = sessionSignal();
  const unanswered = bySession.get(session) ?? new Map<string, Unanswered>();
  bySession.set(session, unanswered);
  const kind = `${call.method} ${call.path}`;
  const target = addressOf(call, parts);
  const words = `${call.method} ${target} ${JSON.stringify(parts.body)}`;
  const before = unanswered.get(words);
  unanswered.delete(words);
  const id = before && before.until > Date.now() ? before.id : uuid();
  const began = ++order;
  underWay += 1;
  return {
    id,
    end(isKnown) {
      underWay -= 1;
      if (underWay === 0) for (const resolve of waiting.splice(0)) resolve();
      if (!isKnown) unanswered.set(words, { id, kind, target, ended: ++order, until: Date.now() + KEEP_MS });
      else forgetBefore(unanswered, { kind, target, began });
    },
  };
}

/** Many things are changed one after the other: the same call for another thing leaves the earlier ones as they are. */
function forgetBefore(
  unanswered: Map<string, Unanswered>,
  { kind, target, began }: { kind: string; target: string; began: number },
): void {
  for (const [words, other] of unanswered)
    if (other.ended < began && (other.kind !== kind || other.target === target)) unanswered.delete(words);
}
