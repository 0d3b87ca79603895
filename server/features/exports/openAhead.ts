import { Readable } from "node:stream";
import type { NewMember } from "../../files/zip/zipWriter";

/** A member of a zip whose content must be opened first; undefined if there is none after all. */
export interface UnopenedMember {
  open(): Promise<NewMember | undefined>;
}

/** Members that are open at a time. A bucket takes its time for each. */
const AHEAD = 8;

/** Yields the members in their order, and opens the next ones while one is written. */
export async function* openAhead(source: AsyncIterable<NewMember | UnopenedMember>): AsyncGenerator<NewMember> {
  const opened: Promise<NewMember | undefined>[] = [];
  try {
    for await (const member of source) {
      if ("open" in member) opened.push(member.open());
      else if (opened.length > 0) opened.push(Promise.resolve(member));
      else yield member;
      // An error surfaces when its member is awaited, or never if the consumer has stopped.
      opened.at(-1)?.catch(() => undefined);
      if (opened.length < AHEAD) continue;
      const next = await opened.shift();
      if (next) yield next;
    }
    for (let next = opened.shift(); next; next = opened.shift()) {
      const member = await next;
      if (member) yield member;
    }
  } finally {
    for (const member of opened) void member.then(close, () => undefined);
  }
}

function close(member: NewMember | undefined): void {
  if (member?.content instanceof Readable) member.content.destroy();
}
