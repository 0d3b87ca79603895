import type { Category } from "../../shared/entities/category";
import { getReach, subscribeReach } from "../io/http/reachability";
import { request } from "../io/http/request";
import type { Owner } from "../io/journal/journalName";
import type { Answered } from "../io/journal/storedEdits";
import { beforeLogout } from "../io/logout";
import { copyName } from "./copy/copyStore";
import { deleteOlderCopies } from "./copy/olderCopies";
import { Copies } from "./download/userCopies";
import { WorkerLoader } from "./download/workerLoader";

export { Copies } from "./download/userCopies";

const reach = { isAway: () => getReach() === "away", subscribe: subscribeReach };

let current: { copies: Copies; name: string; unregister: () => void } | undefined;

/**
 * Returns the copies of the user in this tab. The first call opens them and continues their downloads. Closes another
 * user's copies first. Deletes copies that the same user has of another installation; they contain no pending edits.
 */
export function copiesOf(owner: Owner): Copies {
  const name = copyName(owner);
  if (current?.name === name) {
    current.copies.wake();
    return current.copies;
  }
  leaveCurrent();
  const loader = new WorkerLoader(owner.installation);
  const copies = new Copies(name, owner.username, { request, loader, reach });
  const wipe = async () => {
    leaveCurrent(copies);
    await copies.wipe();
  };
  const { username } = owner;
  current = { copies, name, unregister: beforeLogout({ username, warning: async () => null, wipe }) };
  void deleteOlderCopies(owner).catch(() => undefined);
  return copies;
}

/** Applies edits that the server has stored to their user's copy, unless another user's copy is open. */
export async function keepStoredEdits(owner: Owner, answered: readonly Answered[]): Promise<void> {
  if (!current || current.name === copyName(owner)) await copiesOf(owner).keepAcknowledged(answered);
}

/** Adds a category that the server has just created to its dataset's copy, unless another user's copy is open. */
export async function keepCreatedCategory(owner: Owner, category: Category, datasetId: number): Promise<void> {
  if (!current || current.name === copyName(owner)) await copiesOf(owner).keepCategory(category, datasetId);
}

function leaveCurrent(only?: Copies): void {
  if (!current || (only && current.copies !== only)) return;
  current.unregister();
  current.copies.close();
  current = undefined;
}
