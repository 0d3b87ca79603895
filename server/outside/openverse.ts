import { setTimeout as wait } from "node:timers/promises";
import { z } from "zod";
import type { FoundImage, FoundPage, ImageSearch } from "./imageSearch";
import type { Outside } from "./outside";
import { OutsideError } from "./outsideError";
import { readText } from "./readResponse";
import type { OutsideResponse } from "./sendRequest";

/** Address that is searched unless GENERATE_PROVIDER_URL replaces it. */
export const OPENVERSE = "https://api.openverse.org/v1/images/";

/** Results per page. Larger pages require a key, and are otherwise refused with 401. */
const PAGE_SIZE = 20;
/** Maximum length of a query in characters. The API truncates longer queries. */
const MAX_QUERY = 200;
const MAX_BYTES = 5_000_000;
const TIMEOUT_SECONDS = 30;
const MAX_TRIES = 5;
/** Pause between requests that the API demands of callers without a key. */
const BETWEEN_MS = 1_000;
const MAX_WAIT_SECONDS = 120;

/** A result as documented by the API (https://api.openverse.org/v1/, images/search). Null means the same as absent. */
const item = z.looseObject({ id: z.string().min(1), url: z.string().min(1) });
const resultPage = z.looseObject({ page_count: z.number().optional(), results: z.array(z.unknown()) });

/** Creates a client of Openverse's image search, or of a server with the same API. */
export function makeOpenverse(outside: Outside, address: string = OPENVERSE): ImageSearch {
  const name = new URL(address).host;
  /** Time of the last request by `performance.now()`, so that setting the clock back causes no long wait. */
  let lastRequest = Number.NEGATIVE_INFINITY;
  return {
    name,
    async search(keyword, page, { signal, log }) {
      const url = new URL(address);
      url.searchParams.set("q", keyword.slice(0, MAX_QUERY));
      url.searchParams.set("page_size", String(PAGE_SIZE));
      url.searchParams.set("page", String(page));
      for (let tries = 1; ; tries++) {
        await wait(Math.max(0, lastRequest + BETWEEN_MS - performance.now()), undefined, { signal });
        lastRequest = performance.now();
        const response = await request(outside, name, url, signal);
        if (response.status === 200) return readPage(name, response, page);
        response.body.destroy();
        const seconds = secondsToWait(response, tries);
        if (seconds === undefined || tries === MAX_TRIES) throw refusal(name, response);
        log(`${name} responded with status ${response.status}; retrying in ${seconds} s.`);
        await wait(1000 * seconds, undefined, { signal });
      }
    },
  };
}

async function request(outside: Outside, name: string, url: URL, signal: AbortSignal): Promise<OutsideResponse> {
  try {
    return await outside.get(url.href, { accept: "application/json", signal, seconds: TIMEOUT_SECONDS });
  } catch (error) {
    if (!(error instanceof OutsideError)) throw error;
    const hint = error.isUnreachable ? " Does this server have internet access?" : "";
    throw new OutsideError(`The image search at ${name} is not available: ${error.message}.${hint}`, true);
  }
}

/** Returns the seconds to wait before retrying, or undefined if a retry would not help. */
function secondsToWait({ status, headers }: OutsideResponse, tries: number): number | undefined {
  if (status === 429) {
    const retryAfter = Number(headers["retry-after"] ?? 2 ** tries);
    return retryAfter >= 0 && retryAfter <= MAX_WAIT_SECONDS ? retryAfter : undefined;
  }
  return status >= 500 ? 2 ** (tries - 1) : undefined;
}

function refusal(name: string, { status, headers }: OutsideResponse): OutsideError {
  const later = headers["retry-after"] ? ` It allows a retry in ${headers["retry-after"]} s.` : "";
  if (status === 429) return new OutsideError(`${name} has received too many requests.${later}`);
  if (status === 401 || status === 403)
    return new OutsideError(`${name} refused the request (status ${status}): it requires a key.`);
  return new OutsideError(`${name} responded with an error (status ${status}).${later}`);
}

async function readPage(name: string, response: OutsideResponse, page: number): Promise<FoundPage> {
  const text = await readText(response, MAX_BYTES).catch((error) => {
    throw error instanceof OutsideError
      ? new OutsideError(`The response of ${name} cannot be read: ${error.message}.`)
      : error;
  });
  const { data } = resultPage.safeParse(parseJson(text));
  if (!data) throw new OutsideError(`${name} did not respond like Openverse's image search.`);
  const isLast = data.results.length === 0 || page >= (data.page_count ?? Number.POSITIVE_INFINITY);
  return { images: data.results.flatMap(imageOf), isLast };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns the image of a result, or an empty list if the result has no id or no address. */
function imageOf(value: unknown): FoundImage[] {
  const { data } = item.safeParse(value);
  if (!data) return [];
  const fields: Record<string, unknown> = {
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
  const origin = Object.entries(fields).flatMap(([key, value]) => {
    const plain = typeof value === "string" ? storable(value) : "";
    return plain === "" ? [] : [[key, plain]];
  });
  return [{ id: data.id, url: data.url, origin: Object.fromEntries(origin) }];
}

/** Returns the text in a form that the database can store, at most 2,000 characters. */
const storable = (text: string): string => text.replaceAll("\u0000", "").toWellFormed().trim().slice(0, 2000);
