import type { Transaction } from "kysely";
import type { EditAnswer, RefusalCode } from "../../../shared/edits/edit";
import type { AnnotationEvent } from "../../../shared/events";
import { badRequest, conflict, type HttpError, notFound, readOnly } from "../../base/errors";
import type { CurrentUser } from "../../base/permissions";
import type { Schema } from "../../db/schema";
import { transaction } from "../../db/transaction";
import type { ServerEdit } from "../annotations/rows/serverEdit";
import { noteActivity } from "../images/noteActivity";
import { requesterOf, withMeasuring } from "../measuring/measuring";
import type { Services } from "../services";
import { checkEdits, storeEdits } from "./storeEdits";

/**
 * Stores the edits of a call, all or none. Returns their answers in order. Throws 400 for a refused edit, 403 for a
 * viewer's, 404 if its subject no longer exists, and 409 for a conflict.
 */
export type Store = (edits: readonly ServerEdit[], imageIds?: Iterable<number>) => Promise<EditAnswer[]>;

/**
 * Runs a call that is not expressed as edits (a single annotation, a full save) in one transaction. `work` receives
 * `store` for the edits it derives. Notifies the images' rooms after the commit.
 */
export async function storeForCall<T>(
  { db, live }: Pick<Services, "db" | "live">,
  user: CurrentUser,
  work: (trx: Transaction<Schema>, store: Store) => Promise<T>,
): Promise<T> {
  const attempt = () =>
    transaction(db, async (trx) => {
      const events: AnnotationEvent[] = [];
      const datasets = new Set<number>();
      const store: Store = async (edits, imageIds = []) => {
        const stored = await storeEdits(trx, { user, client: null }, edits, imageIds);
        requireStored(stored.answers);
        events.push(...stored.events);
        for (const id of stored.datasets) datasets.add(id);
        return stored.answers;
      };
      return { result: await work(trx, store), events, datasets };
    });
  const { result, events, datasets } = await withMeasuring(requesterOf(user), attempt);
  for (const event of events) live.notifyImageRoom(event);
  await noteActivity(db, user.id, datasets);
  return result;
}

/** Throws what `Store` would throw for the edits, and stores nothing. */
export type Check = (edits: readonly ServerEdit[], imageIds?: Iterable<number>) => Promise<void>;

/** Runs `work` like `storeForCall`, before a call that takes several transactions, so that it is refused as a whole. */
export function checkForCall<T>(
  { db }: Pick<Services, "db">,
  user: CurrentUser,
  work: (trx: Transaction<Schema>, check: Check) => Promise<T>,
): Promise<T> {
  const attempt = () =>
    transaction(db, (trx) =>
      work(trx, async (edits, imageIds = []) =>
        requireStored(await checkEdits(trx, { user, client: null }, edits, imageIds)),
      ),
    );
  return withMeasuring(requesterOf(user), attempt);
}

function requireStored(answers: readonly EditAnswer[]): void {
  for (const { status, reason, code } of answers) {
    if (status === "refused") throw refusal(reason ?? "Invalid edit", code);
    if (status === "conflict") throw conflict(reason ?? "Another user changed this meanwhile.");
  }
}

function refusal(reason: string, code: RefusalCode | null | undefined): HttpError {
  if (code === "read_only") return readOnly();
  return code ? notFound(reason) : badRequest(reason);
}
