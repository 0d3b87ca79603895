import type { Statistics } from "../../../../shared/entities/statistics";

/** Returns the heat map's counts summed into 3 × 3 parts: rows from the top, cells from the left. */
export function ninthsOf({ columns, rows, counts }: Statistics["positions"]): number[][] {
  const ninths = [0, 1, 2].map(() => [0, 0, 0]);
  for (const [cell, count] of counts.entries()) {
    const row = ninths[Math.floor((Math.floor(cell / columns) / rows) * 3)];
    const column = Math.floor(((cell % columns) / columns) * 3);
    if (row) row[column] = (row[column] ?? 0) + count;
  }
  return ninths;
}
