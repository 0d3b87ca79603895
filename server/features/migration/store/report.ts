import { closeSync, openSync, writeSync } from "node:fs";
import { shown } from "../../../files/paths/safePath";

const EXAMPLES = 3;
const MAX_LINE = 300;

/** Events of one kind: their number and the first of them. */
interface Kind {
  count: number;
  examples: string[];
}

/** Outcome of the documents of a collection. */
export class CollectionReport {
  read = 0;
  created = 0;
  /** Documents that an earlier run has migrated. */
  known = 0;
  /** Documents whose object exists in Limn and was used. */
  linked = 0;
  readonly skipped = new Map<string, Kind>();
  readonly notes = new Map<string, Kind>();

  constructor(
    readonly name: string,
    private readonly write: (line: string) => void,
  ) {}

  /** Counts a document that cannot be migrated. `reason` ends a sentence about it. */
  skip(label: string, reason: string): void {
    this.add(this.skipped, label, reason, "skipped: ");
  }

  /** Counts `count` documents of which none is migrated. */
  skipAll(count: number, reason: string): void {
    this.read = count;
    if (count > 0) this.skip(this.name, reason);
    const kind = this.skipped.get(reason);
    if (kind) kind.count = count;
  }

  /** Notes that a part of a document was changed. `text` ends a sentence about it. */
  note(label: string, text: string): void {
    this.add(this.notes, label, text, "");
  }

  get skippedCount(): number {
    return [...this.skipped.values()].reduce((sum, { count }) => sum + count, 0);
  }

  private add(kinds: Map<string, Kind>, label: string, text: string, prefix: string): void {
    const kind = kinds.get(text) ?? { count: 0, examples: [] };
    kinds.set(text, kind);
    kind.count++;
    if (kind.examples.length < EXAMPLES) kind.examples.push(shown(label));
    this.write(`${this.name}: ${shown(label)} ${prefix}${text}`);
  }
}

/** Report of a migration: totals in memory, and a line for each event in a file if one is given. */
export class MigrationReport {
  private readonly collections = new Map<string, CollectionReport>();
  private readonly totals = new Map<string, number>();
  private file: number | undefined;

  constructor(path?: string) {
    if (path !== undefined) this.file = openSync(path, "w");
  }

  of(name: string): CollectionReport {
    const found = this.collections.get(name) ?? new CollectionReport(name, (line) => this.write(line));
    this.collections.set(name, found);
    return found;
  }

  /** Adds to a total that has no collection, such as holes. */
  count(what: string, number: number): void {
    this.totals.set(what, (this.totals.get(what) ?? 0) + number);
  }

  /** Returns the lines to print. `isDryRun`: nothing was created. */
  lines(isDryRun: boolean): string[] {
    const created = isDryRun ? "to create" : "created";
    const lines: string[] = [];
    for (const each of this.collections.values()) {
      const { name, read, known, linked, skippedCount, skipped, notes } = each;
      const parts = [`${read} read`, `${each.created} ${created}`, `${known} migrated before`];
      if (linked > 0) parts.push(`${linked} there already and used`);
      lines.push(`${name}: ${[...parts, `${skippedCount} skipped`].join(", ")}`);
      for (const [reason, kind] of skipped) lines.push(`  skipped, ${lineOf(reason, kind)}`);
      for (const [text, kind] of notes) lines.push(`  ${lineOf(text, kind)}`);
    }
    const totals = [...this.totals].filter(([, number]) => number > 0).map(([what, number]) => `${number} ${what}`);
    if (totals.length > 0) lines.push(`With them: ${totals.join(", ")}`);
    return lines;
  }

  /** Writes lines to the file and closes it. */
  close(lines: readonly string[]): void {
    for (const line of lines) this.write(line);
    if (this.file !== undefined) closeSync(this.file);
    this.file = undefined;
  }

  private write(line: string): void {
    if (this.file !== undefined) writeSync(this.file, `${line}\n`);
  }
}

const lineOf = (text: string, { count, examples }: Kind): string =>
  `${count} ${text} (${examples.join(", ")}${count > examples.length ? ", …" : ""})`.slice(0, MAX_LINE + text.length);
