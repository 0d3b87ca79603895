/** Streams of the program; tests replace them. */
export interface Streams {
  out: { write(text: string): unknown };
  err: { write(text: string): unknown; isTTY?: boolean };
}

/** Results on standard output, as text or JSON, and everything else on standard error. */
export class Output {
  private lastLine = 0;
  private isDrawn = false;

  constructor(
    private readonly streams: Streams,
    /** True with `--json`: standard output has one JSON value and nothing else. */
    readonly isJson: boolean,
    private readonly now = () => performance.now(),
  ) {}

  /** Prints the result: `value` with `--json`, otherwise `text`. */
  result(value: unknown, text: string): void {
    this.endProgress();
    this.streams.out.write(this.isJson ? `${JSON.stringify(value)}\n` : text === "" ? "" : `${text}\n`);
  }

  note(text: string): void {
    this.endProgress();
    this.streams.err.write(`${text}\n`);
  }

  /** Shows progress: a bar with a text on a terminal, otherwise a line every few seconds and at the end. */
  progress(done: number, total: number, text: string): void {
    if (this.streams.err.isTTY) {
      this.streams.err.write(`\r\u001b[K${bar(done, total)} ${text}`);
      this.isDrawn = true;
    } else if (done === total || this.now() - this.lastLine > LINE_MS) {
      this.streams.err.write(`${text}\n`);
      this.lastLine = this.now();
    }
  }

  /** Moves to the line below the bar. */
  endProgress(): void {
    if (this.isDrawn) this.streams.err.write("\n");
    this.isDrawn = false;
  }
}

const LINE_MS = 5_000;
const WIDTH = 24;

function bar(done: number, total: number): string {
  const filled = total === 0 ? WIDTH : Math.round((WIDTH * done) / total);
  return `[${"#".repeat(filled)}${"-".repeat(WIDTH - filled)}]`;
}

/** Returns rows as columns of equal width, without a head if there are no rows. */
export function table(head: string[], rows: (string | number)[][]): string {
  if (rows.length === 0) return "";
  const cells = [head, ...rows.map((row) => row.map(String))];
  const widths = head.map((_, i) => Math.max(...cells.map((row) => row[i]?.length ?? 0)));
  return cells
    .map((row) =>
      row
        .map((cell, i) => cell.padEnd(widths[i] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}
