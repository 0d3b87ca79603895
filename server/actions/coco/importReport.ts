import type { Json } from "../../../shared/entities/scalars";

/** Lines of log and examples for each kind of thing that happened. */
const MAX_EXAMPLES = 20;
const MAX_EXAMPLE_LENGTH = 200;

/** Counts what happened by its kind, with some examples; the first ones of a kind are also told, one line each. */
export class Tally {
  private readonly kinds = new Map<string, { count: number; examples: string[] }>();

  /** @param tell gets a line for the log */
  constructor(private readonly tell: (line: string) => void) {}

  add(kind: string, example: string): void {
    const known = this.kinds.get(kind) ?? { count: 0, examples: [] };
    this.kinds.set(kind, known);
    known.count++;
    if (known.examples.length === MAX_EXAMPLES) return;
    known.examples.push(example.slice(0, MAX_EXAMPLE_LENGTH).toWellFormed().replaceAll("\u0000", ""));
    this.tell(`${example}: ${kind}`);
  }

  /** One more line for each kind of which not all were told. */
  tellRest(): void {
    for (const [kind, { count, examples }] of this.kinds)
      if (count > examples.length) this.tell(`${count - examples.length} more: ${kind}`);
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
