import type { Json } from "../../../../shared/entities/scalars";

/** Report of a finished import. */
export type Report = { [key: string]: Json };

/** Lines of log for each kind of thing that happened, and examples of it in the report. */
const MAX_TOLD = 20;
const MAX_EXAMPLE_LENGTH = 200;

/** Counts what happened by its kind, with some examples; the first ones of a kind are also told, one line each. */
export class Tally {
  private readonly kinds = new Map<string, { count: number; examples: string[] }>();

  /** @param tell gets a line for the log */
  constructor(
    private readonly tell: (line: string) => void,
    private readonly maxExamples = MAX_TOLD,
  ) {}

  add(kind: string, example: string): void {
    const known = this.kinds.get(kind) ?? { count: 0, examples: [] };
    this.kinds.set(kind, known);
    known.count++;
    if (known.count <= MAX_TOLD) this.tell(`${example}: ${kind}`);
    if (known.examples.length < this.maxExamples)
      known.examples.push(example.slice(0, MAX_EXAMPLE_LENGTH).toWellFormed().replaceAll("\u0000", ""));
  }

  /** One more line for each kind of which not all were told. */
  tellRest(): void {
    for (const [kind, { count }] of this.kinds) if (count > MAX_TOLD) this.tell(`${count - MAX_TOLD} more: ${kind}`);
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

/** A report without what is kept for exports alone, and for ourselves. */
export function publicReport(report: Report): Report {
  const { settled: _, has_image_keys: __, licenses: ___, ...told } = report;
  if (Array.isArray(told.categories)) told.categories = told.categories.map(withoutExtra);
  return told;
}

function withoutExtra(match: Json): Json {
  if (match === null || typeof match !== "object" || Array.isArray(match)) return match;
  const { extra: _, ...told } = match;
  return told;
}

/** Annotations that were skipped, for whatever reason. */
export const skippedOf = ({ skipped }: Report): number =>
  Object.values((skipped ?? {}) as Record<string, number>).reduce((sum, count) => sum + count, 0);
