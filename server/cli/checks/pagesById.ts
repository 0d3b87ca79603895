/** Number of rows per query; no transaction is open between queries. */
const PAGE = 1_000;

/** Yields rows in pages, in the order of their ids. `read` returns the next rows after an id, `limit` at most. */
export async function* pagesById<Row extends { id: number }>(
  read: (after: number, limit: number) => Promise<Row[]>,
): AsyncGenerator<Row[]> {
  let last = 0;
  for (;;) {
    const rows = await read(last, PAGE);
    if (rows.length === 0) return;
    yield rows;
    last = rows.at(-1)?.id ?? last;
  }
}
