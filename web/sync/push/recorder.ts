import { SerialQueue } from "../../../shared/async/serialQueue";
import { endsWithin } from "../../../shared/async/timeLimit";
import { MAX_KNOWN_EDITS } from "../../../shared/constants";
import type { Edit, WorkSession } from "../../../shared/edits/edit";
import { subjectOf } from "../../../shared/edits/subject";
import { type AnnotationFields, annotationFields } from "../../../shared/entities/annotation";
import type { Metadata } from "../../../shared/entities/scalars";
import { afterPaint } from "../../io/afterPaint";
import { Handover } from "../journal/handover";
import type { Journal, JournalRow, NewRow, Place } from "../journal/journal";
import { MANY_ROWS } from "../journal/packs";
import type { AnnotationsByUuid } from "../journal/squash";
import type { Choice } from "../journal/syncState";
import { seqsOfConflicts } from "./conflicts";
import type { MemoryJournal } from "./memoryJournal";

/** Time for which deleting the journal waits for its writes, in milliseconds: a write of a broken browser may hang. */
const WIPE_PATIENCE_MS = 2_000;

/** Writes edits, work sessions and preferences to the journal. Keeps edits in memory while that fails. */
export class Recorder {
  private readonly handover: Handover;
  /** Largest `seq` of the journal that this tab has seen. */
  private saw = 0;
  /** Uuids of the edits of other tabs that this tab has seen in the journal, by image and subject. */
  private known: ReadonlyMap<string, readonly string[]> = new Map();
  /** Runs writes to both journals one after another, so that edits keep their order. */
  private readonly writes = new SerialQueue();
  /** The last unfinished write of each image's edits. */
  private readonly unwritten = new Map<number, Promise<void>>();

  /** `client` identifies this tab. */
  constructor(
    private readonly client: string,
    private readonly journal: Journal,
    private readonly memory: MemoryJournal,
  ) {
    this.handover = new Handover(journal.name);
  }

  /**
   * Writes edits to the journal, or to memory if that fails. While edits are in memory, later ones go there too, to
   * keep the order. Many edits are written after the frame that shows them.
   */
  record(edits: readonly Edit[], annotations?: AnnotationsByUuid, place?: Place): Promise<void> {
    const { saw, known } = this;
    const areMany = edits.length >= MANY_ROWS;
    const written = this.writes.add(async () => {
      if (areMany) await afterPaint();
      const rows = edits.map((edit) => this.row(withKnown(edit, known), saw, annotations, place));
      if (this.memory.pending().length > 0) return this.memory.add(rows);
      await this.journal.add(rows).catch(() => this.memory.add(rows));
    });
    return this.noteWrite(edits, written);
  }

  /** Tries again to journal the rows in memory, including conflicts. */
  journalMemory(): Promise<void> {
    return this.writes.add(async () => {
      const rows = this.memory.all();
      if (rows.length === 0) return;
      const isKept = await this.journal.add(rows.map(({ seq: _, ...row }) => row)).then(
        () => true,
        () => false,
      );
      if (!isKept) return;
      const seqs = rows.map(({ seq }) => seq);
      await this.memory.settle(seqs, []);
    });
  }

  /**
   * Returns the pending edits of an image, also those that wait to be written. From now on this tab has seen them.
   * Edits of hundreds of images may wait, so that only those of this image are waited for.
   */
  async pendingOf(imageId: number): Promise<Edit[]> {
    const unwritten = this.unwritten.get(imageId);
    if (unwritten) await unwritten;
    const memory = this.memory.pending().filter((row) => row.image_id === imageId);
    const rows = await this.journal.ofImage(imageId).catch(() => []);
    this.saw = Math.max(this.saw, ...rows.map(({ seq }) => seq));
    const queuedRows = rows.filter(({ state }) => state === "queued");
    this.learn(queuedRows);
    const queued = [...queuedRows, ...memory].map(({ edit }) => edit);
    return [...new Map(queued.map((edit) => [edit.uuid, edit])).values()];
  }

  /** Queues conflicts again if the choice is "again"; removes them otherwise. */
  endConflicts(uuids: ReadonlySet<string>, choice: Choice): Promise<void> {
    return this.writes.add(async () => {
      for (const store of [this.memory, this.journal]) {
        const seqs = await seqsOfConflicts(store, uuids);
        if (seqs.length > 0) await (choice === "again" ? store.requeue(seqs) : store.settle(seqs, []));
      }
    });
  }

  /** Journals a work session. Also works as the last thing a page does before it closes. */
  async recordSession(session: WorkSession): Promise<void> {
    this.handover.put(session);
    await this.keepSession(session);
  }

  /** Journals the sessions that earlier pages had no time to journal. */
  async keepHandedOver(): Promise<void> {
    await Promise.all(this.handover.all().map((session) => this.keepSession(session)));
  }

  async recordPreferences(preferences: Metadata): Promise<void> {
    for (const [key, value] of Object.entries(preferences))
      await this.journal.setPreference(key, value).catch(() => undefined);
  }

  /** Returns preferences that the server may not have yet. */
  unsentPreferences(): Promise<Metadata> {
    return this.journal.allPreferences().catch(() => ({}));
  }

  /** Deletes unsent preferences. */
  async dropPreferences(): Promise<void> {
    await this.journal.removePreferences(await this.unsentPreferences()).catch(() => undefined);
  }

  /** Resolves when all edits recorded so far are written. */
  settled(): Promise<void> {
    return this.writes.settled();
  }

  /** Deletes everything that was recorded in this browser. */
  async wipe(): Promise<void> {
    this.handover.wipe();
    if (this.unwritten.size > 0) await endsWithin(WIPE_PATIENCE_MS, this.writes.settled());
    await this.journal.wipe();
  }

  private async keepSession(session: WorkSession): Promise<void> {
    const kept = await this.journal.addSession(session, this.client).then(
      () => true,
      () => false,
    );
    if (kept) this.handover.drop(session.uuid);
  }

  /** Remembers a write as its images' last one until it has ended, and returns it. */
  private noteWrite(edits: readonly Edit[], written: Promise<void>): Promise<void> {
    const images = new Set(edits.map(({ image_id }) => image_id));
    const forget = () => {
      for (const image of images) if (this.unwritten.get(image) === ended) this.unwritten.delete(image);
    };
    const ended: Promise<void> = written.then(forget, forget);
    for (const image of images) this.unwritten.set(image, ended);
    return written;
  }

  /** Notes the edits of other tabs among the rows: later edits of this tab build on them. */
  private learn(rows: readonly JournalRow[]): void {
    const known = new Map(this.known);
    for (const { client, edit } of rows) {
      if (client === this.client) continue;
      const key = keyOf(edit);
      const others = (known.get(key) ?? []).filter((uuid) => uuid !== edit.uuid);
      known.set(key, [...others, edit.uuid].slice(-MAX_KNOWN_EDITS));
    }
    this.known = known;
  }

  private row(edit: Edit, saw: number, annotations?: AnnotationsByUuid, place?: Place): NewRow {
    const whole = edit.subject === "annotation" ? annotations?.get(edit.target) : undefined;
    const more = { ...(whole && { rest: restOf(edit, whole) }), ...(place && { place }) };
    return { uuid: edit.uuid, client: this.client, image_id: edit.image_id, edit, saw, ...more };
  }
}

function withKnown(edit: Edit, known: ReadonlyMap<string, readonly string[]>): Edit {
  const knows = known.get(keyOf(edit));
  return knows ? { ...edit, knows: [...knows] } : edit;
}

const keyOf = (edit: Edit): string => `${edit.image_id} ${subjectOf(edit)}`;

const FIELDS = Object.keys(annotationFields.shape) as (keyof AnnotationFields)[];

/** Returns the fields of an annotation that an edit leaves as they are. */
function restOf({ after }: Edit, whole: Partial<AnnotationFields>): Partial<AnnotationFields> {
  const rest: Record<string, unknown> = {};
  for (const field of FIELDS)
    if (Object.hasOwn(whole, field) && !Object.hasOwn(after, field)) rest[field] = whole[field];
  return rest;
}
