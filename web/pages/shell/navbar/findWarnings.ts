import { endsWithin } from "../../../../shared/async/timeLimit";
import type { Owner } from "../../../io/journal/journalName";
import { logoutWarnings } from "../../../io/logout";
import { storageText } from "../../../sync/storageText";
import { openCopies } from "../../offline/useCopies";
import { startSync } from "../../review/startSync";

/**
 * Maximum wait for the user's journal and copies, in milliseconds: the storage of some browsers never responds. Shorter
 * than the wait for the list of databases, after which journals that are not in it count as absent.
 */
const OPENING_MS = 3_000;

/**
 * Opens the user's journal and copies, whose code may not be loaded yet shortly after the first page. Returns what a
 * logout would lose, or that this is not known.
 */
export async function findWarnings(owner: Owner): Promise<string[]> {
  const opening = [startSync(owner), openCopies(owner)].map((each) => each.catch(() => undefined));
  const isKnown = await endsWithin(OPENING_MS, Promise.all(opening));
  const warnings = await logoutWarnings(owner.username);
  const text = storageText();
  return isKnown || warnings.some((warning) => warning.includes(text)) ? warnings : [text, ...warnings];
}
