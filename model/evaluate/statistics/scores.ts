/** Table of scores (IoU, 0..1) by row and column, and their means. */
export class Scores {
  private readonly rows = new Map<string, Map<string, number[]>>();

  add(row: string, column: string, score: number): void {
    const columns = this.rows.get(row) ?? new Map<string, number[]>();
    this.rows.set(row, columns);
    const scores = columns.get(column) ?? [];
    columns.set(column, scores);
    scores.push(score);
  }

  /** Returns the names of the rows, sorted. */
  names(): string[] {
    return [...this.rows.keys()].sort();
  }

  /** Returns a table of means with the rows in this order. The last row has the means of all single scores. */
  table(title: string, columns: readonly string[], rows: readonly string[]): string {
    const present = rows.filter((row) => this.rows.has(row));
    const lines = [...present.map((row) => [row, this.rows.get(row)!] as const), ["all", this.all()] as const];
    const head = line([title, "objects", ...columns]);
    return [head, "-".repeat(head.length), ...lines.map(([name, scores]) => rowOf(name, scores, columns))].join("\n");
  }

  private all(): Map<string, number[]> {
    const all = new Map<string, number[]>();
    for (const columns of this.rows.values())
      for (const [column, scores] of columns) all.set(column, [...(all.get(column) ?? []), ...scores]);
    return all;
  }
}

function rowOf(name: string, scores: ReadonlyMap<string, readonly number[]>, columns: readonly string[]): string {
  const counts = columns.map((column) => scores.get(column)?.length ?? 0);
  return line([name, String(Math.max(0, ...counts)), ...columns.map((column) => mean(scores.get(column) ?? []))]);
}

function mean(scores: readonly number[]): string {
  return scores.length === 0 ? "-" : (scores.reduce((sum, score) => sum + score, 0) / scores.length).toFixed(4);
}

function line([first, ...rest]: string[]): string {
  return first!.padEnd(26) + rest.map((cell) => cell.padStart(11)).join("");
}
