/**
 * The JSON of an older client's save, from which the outlines have been cut. Parsed together they take about ten times
 * the memory of their text, so each is parsed by itself.
 */
export interface CutSave {
  /** The body with `compoundPath`s replaced by their index in `outlines`. */
  rest: Uint8Array;
  /** JSON of the outlines. They share the memory of the body. */
  outlines: Uint8Array[];
}

const EACH = Symbol("each item of a list");
const PLACE = ["categories", EACH, "annotations", EACH, "compoundPath"];

/**
 * Cuts all outlines from a save. An invalid text is cut up to its first error at most, so that `rest` or an outline is
 * invalid too.
 */
export function cutOutlines(body: Uint8Array): CutSave {
  const cutter = new Cutter(body);
  cutter.readValue(0);
  return { rest: cutter.rest(), outlines: cutter.outlines };
}

class Cutter {
  readonly outlines: Uint8Array[] = [];
  private readonly kept: Uint8Array[] = [];
  private keptTo = 0;
  private at = 0;

  constructor(private readonly json: Uint8Array) {}

  rest(): Uint8Array {
    return Buffer.concat([...this.kept, this.json.subarray(this.keptTo)]);
  }

  /** Reads a value whose position in the JSON is the first `depth` steps of PLACE. */
  readValue(depth: number): void {
    this.skipSpace();
    const step = PLACE[depth];
    const byte = this.json[this.at];
    if (step === undefined) this.cutValue();
    else if (step === EACH && byte === OPEN_BRACKET) this.readItems(CLOSE_BRACKET, () => this.readValue(depth + 1));
    else if (step !== EACH && byte === OPEN_BRACE) this.readItems(CLOSE_BRACE, () => this.readMember(step, depth + 1));
    else this.skipValue();
  }

  private readItems(close: number, readItem: () => void): void {
    this.at++;
    for (;;) {
      this.skipSpace();
      if (this.takes(close)) return;
      readItem();
      this.skipSpace();
      if (this.takes(close)) return;
      if (!this.takes(COMMA)) this.giveUp();
      if (this.at >= this.json.length) return;
    }
  }

  private readMember(wanted: unknown, depth: number): void {
    const from = this.at;
    if (this.json[from] === QUOTE) this.skipText();
    const key = textOf(this.json.subarray(from, this.at));
    this.skipSpace();
    if (!this.takes(COLON)) this.giveUp();
    else if (key === wanted) this.readValue(depth);
    else this.skipValue();
  }

  private cutValue(): void {
    const from = this.at;
    this.skipValue();
    if (this.at === from) return;
    // Spaces keep the index apart from neighbours, with which it might form a valid number.
    this.kept.push(this.json.subarray(this.keptTo, from), Buffer.from(` ${this.outlines.length} `));
    this.keptTo = this.at;
    this.outlines.push(this.json.subarray(from, this.at));
  }

  /** Skips up to the comma or bracket after a value. */
  private skipValue(): void {
    let depth = 0;
    for (; this.at < this.json.length; this.at++) {
      const byte = this.json[this.at];
      if (byte === QUOTE) {
        this.skipText();
        this.at--;
      } else if (byte === OPEN_BRACKET || byte === OPEN_BRACE) depth++;
      else if ((byte === CLOSE_BRACKET || byte === CLOSE_BRACE) && --depth < 0) return;
      else if (byte === COMMA && depth === 0) return;
    }
  }

  private skipText(): void {
    for (this.at++; this.at < this.json.length; this.at++) {
      const byte = this.json[this.at];
      if (byte === BACKSLASH) this.at++;
      else if (byte === QUOTE) break;
    }
    this.at++;
  }

  private skipSpace(): void {
    while (SPACES.has(this.json[this.at])) this.at++;
  }

  private takes(byte: number): boolean {
    if (this.json[this.at] !== byte) return false;
    this.at++;
    return true;
  }

  /** Leaves the rest of the text uncut, since it is not JSON. */
  private giveUp(): void {
    this.at = this.json.length;
  }
}

/** Returns a key; undefined if it is not valid JSON. */
function textOf(json: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(json).toString());
  } catch {
    return undefined;
  }
}

const SPACES = new Set<number | undefined>([0x20, 0x09, 0x0a, 0x0d]);
const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
