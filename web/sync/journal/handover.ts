import { type WorkSession, workSession } from "../../../shared/edits/edit";
import { forget, recall, remember, rememberedKeys } from "../../io/storage/localStore";

/** Maximum number of stored sessions, so that local storage does not fill up if the journal can never be written. */
const MAX_SESSIONS = 500;

/**
 * Work sessions on their way into the journal, in local storage. A closing page has no time to write to IndexedDB, so
 * the next page moves its sessions into the journal. Each session has its own key, because several tabs write at once.
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
    if (rememberedKeys(this.prefix).length > MAX_SESSIONS) this.dropOldest();
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

  /** Removes all sessions and ignores later ones, which the page may still add while the user logs out. */
  wipe(): void {
    this.wiped = true;
    for (const key of rememberedKeys(this.prefix)) forget(key);
  }

  private dropOldest(): void {
    const oldestFirst = this.all().sort((a, b) => a.start - b.start);
    for (const { uuid } of oldestFirst.slice(0, -MAX_SESSIONS)) this.drop(uuid);
  }
}

const isSession = (value: unknown): value is WorkSession => workSession.safeParse(value).success;
