import type { Json } from "../../../../shared/entities/scalars";

/** Report of a finished import. */
export type Report = { [key: string]: Json };

/** Maximum log lines per kind of event, and default maximum of examples in the report. */
const MAX_LOGGED = 20;
const MAX_EXAMPLE_LENGTH = 200;

/** Counts events by kind, keeps some examples, and logs the first ones of each kind, one line each. */
export class Tally {
  private readonly kinds = new Map<string, { count: number; examples: string[] }>();

  /** @param log receives a line for the log */
  constructor(
    private readonly log: (line: string) => void,
    private readonly maxExamples = MAX_LOGGED,
  ) {}

  add(kind: string, example: string): void {
    const known = this.kinds.get(kind) ?? { count: 0, examples: [] };
    this.kinds.set(kind, known);
    known.count++;
    if (known.count <= MAX_LOGGED) this.log(`${example}: ${kind}`);
    if (known.examples.length < this.maxExamples)
      known.examples.push(example.slice(0, MAX_EXAMPLE_LENGTH).toWellFormed().replaceAll("\u0000", ""));
  }

  /** Logs the number of events that were not logged, one line for each kind. */
  logRest(): void {
    for (const [kind, { count }] of this.kinds) if (count > MAX_LOGGED) this.log(`${count - MAX_LOGGED} more: ${kind}`);
  }

  get total(): number {
    return [...this.kinds.values()].reduce((sum, { count }) => sum + count, 0);
  }

  counts(): { [kind: string]: number } {
    return Object.fromEntries([...this.kinds].map(([kind, { count }]) => [kind, count]));
  }

  examples(): { [kind: string]: Json } {
    return Object.fromEntries([...this.kinds].map(([kind, { examples }]) => [kind, examples]));
  }
}

/** Returns a report without the parts that are kept for exports and for internal use. */
export function publicReport(report: Report): Report {
  const { settled: _, has_image_keys: __, licenses: ___, ...visible } = report;
  if (Array.isArray(visible.categories)) visible.categories = visible.categories.map(withoutExtra);
  return visible;
}

function withoutExtra(match: Json): Json {
  if (match === null || typeof match !== "object" || Array.isArray(match)) return match;
  const { extra: _, ...visible } = match;
  return visible;
}

/** Returns the number of skipped annotations, for all reasons together. */
export const skippedOf = ({ skipped }: Report): number =>
  Object.values((skipped ?? {}) as Record<string, number>).reduce((sum, count) => sum + count, 0);
