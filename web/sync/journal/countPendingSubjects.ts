import { journalNames } from "../../io/journal/journalName";
import { Journal } from "./journal";
import { subjectsOf } from "./syncState";

/**
 * Returns the number of annotations, images and categories with pending edits in the journals of all users in this
 * browser.
 */
export async function countPendingSubjects(): Promise<number> {
  const counts = (await journalNames()).map(async (name) => {
    const journal = new Journal(name);
    return journal
      .all()
      .then((rows) => subjectsOf(rows).length)
      .catch(() => 0)
      .finally(() => journal.close());
  });
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
}
