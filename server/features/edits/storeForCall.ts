import type { Transaction } from "kysely";
import type { EditAnswer, RefusalCode } from "../../../shared/edits/edit";
import type { AnnotationEvent } from "../../../shared/events";
import { badRequest, conflict, type HttpError, notFound } from "../../base/errors";
import type { CurrentUser } from "../../base/permissions";
import type { Schema } from "../../db/schema";
import { transaction } from "../../db/transaction";
import type { ServerEdit } from "../annotations/rows/serverEdit";
import { takerOf, withMeasuring } from "../measuring/measuring";
import type { Services } from "../services";
import { storeEdits } from "./storeEdits";

/**
 * Stores edits that a call consists of: all, or the call fails. Throws 400 on a refused one, 404 where that is since its
 * subject went away meanwhile, 409 on a conflict. Returns the answers in the edits' order.
 */
export type Store = (edits: readonly ServerEdit[], imageIds?: Iterable<number>) => Promise<EditAnswer[]>;

/**
 * Runs a call that knows no edits itself (one annotation, a whole saved state) in one transaction and gives it `store`,
 * which makes edits of what it wants; the images' rooms are told after commit.
 */
export async function storeForCall<T>(
  { db, live }: Pick<Services, "db" | "live">,
  user: CurrentUser,
  work: (trx: Transaction<Schema>, store: Store) => Promise<T>,
): Promise<T> {
  const inOneGo = () =>
    transaction(db, async (trx) => {
      const events: AnnotationEvent[] = [];
      const store: Store = async (edits, imageIds = []) => {
        const stored = await storeEdits(trx, { user, client: null }, edits, imageIds);
        for (const { status, reason, code } of stored.answers) {
          if (status === "refused") throw refusal(reason ?? "Invalid edit", code);
          if (status === "conflict") throw conflict(reason ?? "Another user changed this meanwhile.");
        }
        events.push(...stored.events);
        return stored.answers;
      };
      return { result: await work(trx, store), events };
    });
  const { result, events } = await withMeasuring(takerOf(user), inOneGo);
  for (const event of events) live.tellImage(event);
  return result;
}

function refusal(reason: string, code: RefusalCode | null | undefined): HttpError {
  return code ? notFound(reason) : badRequest(reason);
}
