import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import type { Kysely } from "kysely";
import type { Schema } from "../../../server/db/schema";
import { BackOff } from "../../../shared/async/backOff";

/** A user who saves without a pause, with an image of their own, so that nobody's edits conflict. */
export interface Saver {
  cookie: string;
  imageId: number;
  categoryId: number;
}

/** Acknowledged edits and the time of each save. Whatever is not in it may or may not be stored. */
export interface Saves {
  /** Milliseconds from the first attempt of each save to its acknowledgement. */
  times: readonly number[];
  /** Ids of acknowledged edits. */
  edits: readonly string[];
  /** Acknowledged annotations, by id. */
  annotations: ReadonlyMap<string, Drawn>;
  /** Number of attempts without a final response, by status; 0 is a broken connection. */
  repeated: ReadonlyMap<number, number>;
  /** Number of edits that had been stored by an earlier attempt, whose response was lost. */
  readonly seen: number;
  /** Responses that no edit should get. */
  problems: readonly string[];
  /** Waits for the acknowledgement of the saves in progress. */
  stop(): Promise<void>;
}

interface Drawn {
  edits: number;
  revision: number;
  rings: number[][][];
}

const AGAIN = new Set([0, 502, 503, 504]);
/** Changes of an annotation before the next one is created. */
const CHANGES = 9;

/** Starts the savers. Each sends a save again until it is acknowledged, with the pauses of Limn's own pages. */
export function startSaves(url: string, savers: readonly Saver[]): Saves {
  const times: number[] = [];
  const edits: string[] = [];
  const annotations = new Map<string, Drawn>();
  const repeated = new Map<number, number>();
  const problems: string[] = [];
  let seen = 0;
  let isOver = false;

  const save = async ({ cookie }: Saver, body: string) => {
    const pauses = new BackOff();
    const start = performance.now();
    for (;;) {
      const { status, text } = await post(url, cookie, body);
      if (status === 200) {
        times.push(performance.now() - start);
        return JSON.parse(text).answers as Answer[];
      }
      if (!AGAIN.has(status)) throw new Error(`${status} ${text}`);
      repeated.set(status, (repeated.get(status) ?? 0) + 1);
      await wait(pauses.next());
    }
  };
  const work = async (saver: Saver) => {
    const client = randomUUID();
    let target = randomUUID();
    for (let n = 0; !isOver; n++) {
      if (n % (CHANGES + 1) === 0) target = randomUUID();
      const drawn = annotations.get(target);
      const rings = [[ringAt(n)]];
      const edit = { uuid: randomUUID(), image_id: saver.imageId, subject: "annotation", target, before: {} };
      const change = drawn
        ? { base: drawn.revision, action: "modify", after: { rings, isbbox: false } }
        : { base: 0, action: "create", after: { ...NEW, category_id: saver.categoryId, rings } };
      const [answer] = await save(saver, JSON.stringify({ client, edits: [{ ...edit, ...change }] }));
      // An edit whose response was lost has been seen when it is sent again.
      if (!["applied", "seen"].includes(answer?.status ?? "")) problems.push(JSON.stringify(answer));
      if (answer?.status === "seen") seen++;
      edits.push(edit.uuid);
      annotations.set(target, { edits: (drawn?.edits ?? 0) + 1, revision: answer?.revision ?? 0, rings });
    }
  };
  const working = savers.map((saver) => work(saver).catch((error: unknown) => void problems.push(String(error))));
  return {
    times,
    edits,
    annotations,
    repeated,
    problems,
    get seen() {
      return seen;
    },
    async stop() {
      isOver = true;
      await Promise.all(working);
    },
  };
}

interface Answer {
  status: string;
  revision: number;
}

const NEW = { isbbox: false, color: "#336699", metadata: {}, keypoints: null };

/** Returns a pentagon, another one for each number. */
const ringAt = (n: number): number[] =>
  Array.from({ length: 5 }, (_, i) => {
    const angle = (i / 5) * 2 * Math.PI;
    return [100 + (n % 200) + 40 * Math.cos(angle), 90 + (n % 90) + 40 * Math.sin(angle)];
  })
    .flat()
    .map((value) => Math.round(value * 10) / 10);

/** Status 0: no response. */
async function post(url: string, cookie: string, body: string): Promise<{ status: number; text: string }> {
  try {
    const headers = { Cookie: cookie, "Content-Type": "application/json", "X-Requested-With": "fetch" };
    const response = await fetch(`${url}api/annotator/edits`, { method: "POST", headers, body });
    return { status: response.status, text: await response.text() };
  } catch {
    return { status: 0, text: "" };
  }
}

export interface Comparison {
  lost: number;
  twice: number;
  /** Annotations that differ from their last acknowledged edit. */
  different: number;
}

/** Compares acknowledged edits with what is stored, after `stop`. */
export async function compareSaves(db: Kysely<Schema>, saves: Saves): Promise<Comparison> {
  const ids = [...saves.annotations.keys()];
  const history = await db.selectFrom("edit_history").select("edit").where("subject_id", "in", ids).execute();
  const counts = new Map<string, number>();
  for (const { edit } of history) counts.set(edit ?? "", (counts.get(edit ?? "") ?? 0) + 1);
  const rows = await db
    .selectFrom("annotations")
    .select(["uuid", "revision", "shape"])
    .where("uuid", "in", ids)
    .where("deleted_at", "is", null)
    .execute();
  const stored = new Map<string, typeof rows>();
  for (const row of rows) stored.set(row.uuid, [...(stored.get(row.uuid) ?? []), row]);
  let different = 0;
  let twice = saves.edits.filter((edit) => (counts.get(edit) ?? 0) > 1).length;
  for (const [id, drawn] of saves.annotations) {
    const [row, ...more] = stored.get(id) ?? [];
    twice += more.length;
    const rings = JSON.stringify((row?.shape as { rings?: unknown } | undefined)?.rings);
    if (!row || row.revision !== drawn.revision || rings !== JSON.stringify(drawn.rings)) different++;
    // A revision more than edits would be an edit that was stored twice.
    if (row && row.revision > drawn.edits) twice++;
  }
  return { lost: saves.edits.filter((edit) => !counts.has(edit)).length, twice, different };
}
