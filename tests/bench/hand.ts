import type { Page } from "@playwright/test";

/**
 * Operators of the keystroke-level model (Card, Moran and Newell 1980), in seconds: a key (K, an average typist),
 * pressing or releasing a mouse button (B), pointing (P), moving a hand to the keyboard or back (H), and deciding on a
 * command (M).
 */
const OPERATORS = { K: 0.28, B: 0.1, P: 1.1, H: 0.4, M: 1.35 };
type Operator = keyof typeof OPERATORS;

/**
 * Counted work. One hand is on the mouse, the other on the left half of the keyboard, so keys need no H, except text
 * that is typed and confirmed. A modifier counts as a key. Every command has one M, and repeating it has none.
 */
export interface Work {
  keys: number;
  clicks: number;
  drags: number;
  /** Times of each operator. */
  operators: Record<Operator, number>;
  /** Way of the pointer on the screen, in pixels; null where it is not known. */
  travel: number | null;
}

export const noWork = (): Work => ({
  keys: 0,
  clicks: 0,
  drags: 0,
  operators: { K: 0, B: 0, P: 0, H: 0, M: 0 },
  travel: null,
});

export function addKeys({ operators, ...rest }: Work, keys: number, { isCommand = true } = {}): Work {
  return { ...rest, keys: rest.keys + keys, operators: plus(operators, { K: keys, M: isCommand ? 1 : 0 }) };
}

export function addClicks({ operators, ...rest }: Work, clicks: number): Work {
  return { ...rest, clicks: rest.clicks + clicks, operators: plus(operators, { P: clicks, B: 2 * clicks }) };
}

export function addDrags({ operators, ...rest }: Work, drags: number): Work {
  return { ...rest, drags: rest.drags + drags, operators: plus(operators, { P: 2 * drags, B: 2 * drags }) };
}

/** Adds text that is typed with both hands, which then return to where they were. */
export function addText(work: Work, keys: number): Work {
  const typed = addKeys(work, keys, { isCommand: false });
  return { ...typed, operators: plus(typed.operators, { H: 2 }) };
}

const addPoint = (work: Work): Work => ({ ...work, operators: plus(work.operators, { P: 1 }) });

function plus(operators: Work["operators"], more: Partial<Work["operators"]>): Work["operators"] {
  const sum = { ...operators };
  for (const name of Object.keys(sum) as Operator[]) sum[name] += more[name] ?? 0;
  return sum;
}

export const seconds = ({ operators }: Work): number =>
  Object.entries(OPERATORS).reduce((sum, [name, each]) => sum + each * operators[name as Operator], 0);

/** Returns the counts and the seconds as text, such as "3 keys, 1 click, 1 drag: 6.8 s". */
export function summary(work: Work): string {
  const counts = [
    [work.keys, "key"],
    [work.clicks, "click"],
    [work.drags, "drag"],
  ] as const;
  const parts = counts
    .filter(([count]) => count > 0)
    .map(([count, name]) => `${count} ${name}${count === 1 ? "" : "s"}`);
  const travel = work.travel === null ? "" : `, pointer ${Math.round(work.travel).toLocaleString("en")} px`;
  return `${parts.join(", ")}: ${seconds(work).toFixed(1)} s${travel}`;
}

interface Place {
  x: number;
  y: number;
}

/** A user's hands: makes real events in the page and counts them. */
export class Hand {
  private work: Work = { ...noWork(), travel: 0 };
  private place: Place | null = null;

  constructor(private readonly page: Page) {}

  get done(): Work {
    return this.work;
  }

  /** Presses the keys of a command. */
  async command(keys: string): Promise<void> {
    await this.page.keyboard.press(keys);
    this.work = addKeys(this.work, keys.split("+").length);
  }

  /** Types into the focused field and presses Enter. */
  async typeAndConfirm(text: string): Promise<void> {
    await this.page.keyboard.type(text);
    await this.page.keyboard.press("Enter");
    this.work = addText(this.work, text.length + 1);
  }

  /** Holds a modifier during some actions. */
  async hold(key: string, actions: () => Promise<void>): Promise<void> {
    await this.page.keyboard.down(key);
    await actions();
    await this.page.keyboard.up(key);
    this.work = addKeys(this.work, 1, { isCommand: false });
  }

  async point(to: Place): Promise<void> {
    await this.moveTo(to);
    this.work = addPoint(this.work);
  }

  async click(at: Place): Promise<void> {
    await this.moveTo(at);
    await this.page.mouse.down();
    await this.page.mouse.up();
    this.work = addClicks(this.work, 1);
  }

  async drag(from: Place, to: Place): Promise<void> {
    await this.moveTo(from);
    await this.page.mouse.down();
    await this.moveTo(to);
    await this.page.mouse.up();
    this.work = addDrags(this.work, 1);
  }

  private async moveTo(to: Place): Promise<void> {
    const from = this.place ?? to;
    this.place = to;
    await this.page.mouse.move(to.x, to.y, { steps: 4 });
    this.work = { ...this.work, travel: (this.work.travel ?? 0) + Math.hypot(to.x - from.x, to.y - from.y) };
  }
}
