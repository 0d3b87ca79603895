import type { Finding } from "../../../../shared/quality/finding";
import { withCheckThread } from "./checkThread";
import type { CategoryLine, RowsCompared } from "./compare/rowsCompared";

/** Sends pages of rows to a thread, which compares all of them. Returns what it finds. */
export function compareInThread<Kind extends keyof RowsCompared>(
  kind: Kind,
  pages: AsyncIterable<RowsCompared[Kind][]>,
  signal: AbortSignal,
  categories: CategoryLine[] = [],
): Promise<Finding[]> {
  return withCheckThread(async (thread) => {
    const options = { signal };
    await thread.ask({ begin: kind, categories }, options);
    for await (const add of pages) await thread.ask({ add }, options);
    const findings: Finding[] = [];
    for (
      let more = await thread.ask({ compare: true }, options);
      more.length > 0;
      more = await thread.ask({ more: true }, options)
    )
      for (const finding of more) findings.push(finding);
    return findings;
  });
}
