import { type WorkSession, workSession } from "../../shared/edits/edit";
import { forget, recall, remember, rememberedKeys } from "../io/localStore";

/**
 * Time at work that is on its way into the journal. A page that goes has no time to write there: what it leaves here, the
 * next page puts into the journal. One key for each session, as several tabs write at once.
 */
export class Handover {
  private readonly prefix: string;

  constructor(journalName: string) {
    this.prefix = `handover ${journalName} `;
  }

  put(session: WorkSession): void {
    remember(this.prefix + session.uuid, session);
  }

  drop(uuid: string): void {
    forget(this.prefix + uuid);
  }

  /** What is left; what cannot be read is dropped. */
  all(): WorkSession[] {
    return rememberedKeys(this.prefix).flatMap((key) => {
      const session = recall(key, isSession);
      if (!session) forget(key);
      return session ?? [];
    });
  }

  wipe(): void {
    for (const key of rememberedKeys(this.prefix)) forget(key);
  }
}

const isSession = (value: unknown): value is WorkSession => workSession.safeParse(value).success;
