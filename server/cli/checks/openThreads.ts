import { sql } from "kysely";
import { countOfOpenThreads, recountThreads } from "../../features/comments/storedComments";
import type { Patient } from "./check";

/** Checks the stored number of unresolved threads of comments of each image by counting. With `fix`, corrects it. */
export async function* openThreads({ db, fix }: Patient): AsyncGenerator<string> {
  const wrong = await db.transaction().execute(async (trx) => {
    // Prevents changes of images and comments between the two counts.
    await sql`lock table images, comments in share mode`.execute(trx);
    const { rows } = await sql<{ id: number; kept: number; counted: number }>`
      select i.id, i.open_threads as kept, ${countOfOpenThreads}::int as counted from images i
      where (i.open_threads > 0 or i.id in (select image_id from comments)) and i.open_threads <> ${countOfOpenThreads}
      order by i.id`.execute(trx);
    if (fix) {
      const ids = rows.map(({ id }) => id);
      await recountThreads(trx, ids);
    }
    return rows;
  });
  const change = fix ? "corrected to" : "but it has";
  for (const { id, kept, counted } of wrong)
    yield `Image ${id} has a stored count of ${kept} unresolved thread(s) of comments, ${change} ${counted}.`;
}
