import { journalNames } from "../../io/journal/journalName";
import { Journal } from "./journal";
import { subjectsOf } from "./syncState";

/**
 * Returns how many annotations, images and categories have edits in any journal of this browser that no server has
 * acknowledged, of all users.
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
