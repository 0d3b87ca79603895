import { setTimeout as wait } from "node:timers/promises";
import { z } from "zod";
import type { FoundImage, FoundPage, ImageSearch } from "./imageSearch";
import { type Answer, type Outside, OutsideError } from "./outside";
import { readText } from "./readResponse";

/** Whom GENERATE_PROVIDER_URL does not replace. */
export const OPENVERSE = "https://api.openverse.org/v1/images/";

/** Without a key more are refused with 401. */
const PAGE_SIZE = 20;
/** The API cuts longer ones off. */
const MAX_QUERY = 200;
const MAX_BYTES = 5_000_000;
const SECONDS = 30;
const TRIES = 5;
/** Pause that the API asks of callers without a key. */
const BETWEEN_MS = 1_000;
const LONGEST_WAIT_SECONDS = 120;

/** An item as the API documents it (https://api.openverse.org/v1/, images/search); null is as good as absent. */
const item = z.looseObject({ id: z.string().min(1), url: z.string().min(1) });
const answered = z.looseObject({ page_count: z.number().optional(), results: z.array(z.unknown()) });

/** Asks the image search of Openverse, or of a server that answers as it does. */
export function makeOpenverse(outside: Outside, address: string = OPENVERSE): ImageSearch {
  const name = new URL(address).host;
  /** Of `performance.now()`: a clock that is set back would make it wait for as long as it was set back. */
  let asked = Number.NEGATIVE_INFINITY;
  return {
    name,
    async search(keyword, page, { signal, tell }) {
      const url = new URL(address);
      url.searchParams.set("q", keyword.slice(0, MAX_QUERY));
      url.searchParams.set("page_size", String(PAGE_SIZE));
      url.searchParams.set("page", String(page));
      for (let tries = 1; ; tries++) {
        await wait(Math.max(0, asked + BETWEEN_MS - performance.now()), undefined, { signal });
        asked = performance.now();
        const answer = await ask(outside, name, url, signal);
        if (answer.status === 200) return readPage(name, answer, page);
        answer.body.destroy();
        const seconds = secondsToWait(answer, tries);
        if (seconds === undefined || tries === TRIES) throw refusal(name, answer);
        tell(`${name} answers with status ${answer.status}; trying again in ${seconds} s.`);
        await wait(1000 * seconds, undefined, { signal });
      }
    },
  };
}

async function ask(outside: Outside, name: string, url: URL, signal: AbortSignal): Promise<Answer> {
  try {
    return await outside.get(url.href, { accept: "application/json", signal, seconds: SECONDS });
  } catch (error) {
    if (!(error instanceof OutsideError)) throw error;
    const hint = error.isUnreachable ? " Has this server a way to the internet?" : "";
    throw new OutsideError(`The image search at ${name} cannot be used: ${error.message}.${hint}`, true);
  }
}

/** Undefined where trying again is of no use. */
function secondsToWait({ status, headers }: Answer, tries: number): number | undefined {
  if (status === 429) {
    const asked = Number(headers["retry-after"] ?? 2 ** tries);
    return asked >= 0 && asked <= LONGEST_WAIT_SECONDS ? asked : undefined;
  }
  return status >= 500 ? 2 ** (tries - 1) : undefined;
}

function refusal(name: string, { status, headers }: Answer): OutsideError {
  const later = headers["retry-after"] ? ` It asks to come back in ${headers["retry-after"]} s.` : "";
  if (status === 429) return new OutsideError(`${name} has answered too many questions just now.${later}`);
  if (status === 401 || status === 403)
    return new OutsideError(`${name} refuses to answer (status ${status}): it wants a key.`);
  return new OutsideError(`${name} cannot answer (status ${status}).${later}`);
}

async function readPage(name: string, answer: Answer, page: number): Promise<FoundPage> {
  const text = await readText(answer, MAX_BYTES).catch((error) => {
    throw error instanceof OutsideError
      ? new OutsideError(`The answer of ${name} cannot be read: ${error.message}.`)
      : error;
  });
  const { data } = answered.safeParse(parsed(text));
  if (!data) throw new OutsideError(`${name} does not answer as Openverse's image search does.`);
  const isLast = data.results.length === 0 || page >= (data.page_count ?? Number.POSITIVE_INFINITY);
  return { images: data.results.flatMap(imageOf), isLast };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Nothing for an item that says neither what nor where it is. */
function imageOf(value: unknown): FoundImage[] {
  const { data } = item.safeParse(value);
  if (!data) return [];
  const told: Record<string, unknown> = {
    title: data.title,
    creator: data.creator,
    creator_url: data.creator_url,
    license: [data.license, data.license_version].filter(Boolean).join(" "),
    license_url: data.license_url,
    attribution: data.attribution,
    source: data.source ?? data.provider,
    source_url: data.url,
    foreign_landing_url: data.foreign_landing_url,
  };
  const origin = Object.entries(told).flatMap(([key, said]) => {
    const plain = typeof said === "string" ? storable(said) : "";
    return plain === "" ? [] : [[key, plain]];
  });
  return [{ id: data.id, url: data.url, origin: Object.fromEntries(origin) }];
}

const storable = (text: string): string => text.replaceAll("\u0000", "").toWellFormed().trim().slice(0, 2000);
