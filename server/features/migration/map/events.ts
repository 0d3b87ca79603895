import { createHash } from "node:crypto";
import { countOf, type Doc, dateOf, listOf, mapOf, textOf } from "../dump/values";

/** A session of work on an image or annotation. */
export interface OldEvent {
  user: string | undefined;
  startedAt: Date;
  milliseconds: number;
  tools: string[];
}

const DAY_MS = 86_400_000;
const MAX_TOOLS = 100;

/** Reads the sessions of an image or annotation. `unreadable`: number of those without a time. */
export function readEvents(doc: Doc): { events: OldEvent[]; unreadable: number } {
  const events: OldEvent[] = [];
  const list = listOf(doc.events);
  for (const item of list) {
    const event = mapOf(item);
    const startedAt = dateOf(event?.created_at);
    if (!event || !startedAt) continue;
    const tools = listOf(event.tools_used).flatMap((tool) => textOf(tool)?.slice(0, 100) ?? []);
    const milliseconds = Math.min(countOf(event.milliseconds) ?? 0, DAY_MS);
    events.push({ user: textOf(event.user), startedAt, milliseconds, tools: tools.slice(0, MAX_TOOLS) });
  }
  return { events, unreadable: list.length - events.length };
}

/** Returns the time that a document was worked on: the stored total, or else the sum of its sessions. */
export function millisecondsOf(doc: Doc, events: readonly OldEvent[]): number {
  return countOf(doc.milliseconds) ?? events.reduce((sum, { milliseconds }) => sum + milliseconds, 0);
}

/** Returns a UUID that is always the same for the same parts (RFC 9562, version 8). */
export function uuidFrom(...parts: string[]): string {
  const bytes = createHash("sha256").update(JSON.stringify(parts)).digest().subarray(0, 16);
  bytes[6] = (bytes[6]! & 0x0f) | 0x80;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = bytes.toString("hex");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}
