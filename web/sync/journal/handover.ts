import { type WorkSession, workSession } from "../../../shared/edits/edit";
import { forget, recall, remember, rememberedKeys } from "../../io/storage/localStore";

/** Most sessions left lying: where the journal never takes them, the browser's few megabytes must not fill up. */
const MOST = 500;

/**
 * Time at work that is on its way into the journal. A page that goes has no time to write there: what it leaves here, the
 * next page puts into the journal. One key for each session, as several tabs write at once.
 */
export class Handover {
  private readonly prefix: string;
  private wiped = false;

  constructor(journalName: string) {
    this.prefix = `handover ${journalName} `;
  }

  put(session: WorkSession): void {
    if (this.wiped) return;
    remember(this.prefix + session.uuid, session);
    if (rememberedKeys(this.prefix).length > MOST) this.dropOldest();
  }

  drop(uuid: string): void {
    forget(this.prefix + uuid);
  }

  /** Returns the remaining sessions; invalid ones are dropped. */
  all(): WorkSession[] {
    return rememberedKeys(this.prefix).flatMap((key) => {
      const session = recall(key, isSession);
      if (!session) forget(key);
      return session ?? [];
    });
  }

  /** For good: what the page still wants to leave behind while the person logs out is not kept. */
  wipe(): void {
    this.wiped = true;
    for (const key of rememberedKeys(this.prefix)) forget(key);
  }

  private dropOldest(): void {
    const oldestFirst = this.all().sort((a, b) => a.start - b.start);
    for (const { uuid } of oldestFirst.slice(0, -MOST)) this.drop(uuid);
  }
}

const isSession = (value: unknown): value is WorkSession => workSession.safeParse(value).success;
