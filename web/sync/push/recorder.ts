import { SerialQueue } from "../../../shared/async/serialQueue";
import type { Edit, WorkSession } from "../../../shared/edits/edit";
import type { AnnotationFields } from "../../../shared/entities/annotation";
import type { Metadata } from "../../../shared/entities/scalars";
import { Handover } from "../journal/handover";
import type { Journal, NewRow, Place } from "../journal/journal";
import type { AnnotationsByUuid } from "../journal/squash";
import type { Choice } from "../journal/syncState";
import { seqsOfConflicts } from "./conflicts";
import type { MemoryJournal } from "./memoryJournal";

/** Takes edits, work sessions and preferences into the journal, and edits into memory while that fails. */
export class Recorder {
  private readonly handover: Handover;
  /** Largest `seq` of the journal that this tab has seen. */
  private saw = 0;
  /** Runs writes to both journals one after another, so that edits keep their order. */
  private readonly writes = new SerialQueue();

  /** `client` identifies this tab. */
  constructor(
    private readonly client: string,
    private readonly journal: Journal,
    private readonly memory: MemoryJournal,
  ) {
    this.handover = new Handover(journal.name);
  }

  /** Writes edits to the journal, or to memory if that fails. They follow those already in memory, to keep the order. */
  record(edits: readonly Edit[], annotations?: AnnotationsByUuid, place?: Place): Promise<void> {
    const rows = edits.map((edit) => this.row(edit, annotations, place));
    return this.writes.add(async () => {
      if (this.memory.pending().length > 0) return this.memory.add(rows);
      await this.journal.add(rows).catch(() => this.memory.add(rows));
    });
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

  /** Returns the pending edits of an image. From now on this tab has seen them. */
  async overlay(imageId: number): Promise<Edit[]> {
    const memory = this.memory.pending().filter((row) => row.image_id === imageId);
    const rows = await this.journal.ofImage(imageId).catch(() => []);
    this.saw = Math.max(this.saw, ...rows.map(({ seq }) => seq));
    const queued = [...rows.filter(({ state }) => state === "queued"), ...memory].map(({ edit }) => edit);
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

  /** Deletes everything recorded from the browser. */
  async wipe(): Promise<void> {
    this.handover.wipe();
    await this.journal.wipe();
  }

  private async keepSession(session: WorkSession): Promise<void> {
    const kept = await this.journal.addSession(session, this.client).then(
      () => true,
      () => false,
    );
    if (kept) this.handover.drop(session.uuid);
  }

  private row(edit: Edit, annotations?: AnnotationsByUuid, place?: Place): NewRow {
    const whole = edit.subject === "annotation" ? annotations?.get(edit.target) : undefined;
    const more = { ...(whole && { rest: restOf(edit, whole) }), ...(place && { place }) };
    return { uuid: edit.uuid, client: this.client, image_id: edit.image_id, edit, saw: this.saw, ...more };
  }
}

function restOf({ after }: Edit, whole: Partial<AnnotationFields>): Partial<AnnotationFields> {
  return Object.fromEntries(Object.entries(whole).filter(([key]) => !Object.hasOwn(after, key)));
}
