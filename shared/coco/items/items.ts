import { JsonEnd, JsonEndError } from "./jsonEnd";

/** TextDecoder is not part of the language, but every runtime of Limn has it. */
declare const TextDecoder: new (
  label: "utf-8",
  options: { fatal: boolean; ignoreBOM: boolean },
) => { decode(bytes: Uint8Array): string };

/** Error for a file that is malformed or exceeds the limits. `offset` is in bytes from the file's start. */
export class CocoFileError extends Error {
  override name = "CocoFileError";

  constructor(
    message: string,
    readonly offset: number,
  ) {
    super(`${message} (byte ${offset})`);
  }
}

export interface ItemHandlers {
  /**
   * Receives one element of a requested list. `index` continues if the key is repeated. `text` is the source text, for
   * numbers beyond the precision of a double. `hasNaN`: see `parseLoosely`. `fault`: see `isLong`.
   */
  item(key: string, index: number, value: unknown, text: string, hasNaN: boolean, fault?: CocoFileError): void;
  /**
   * Returns true for an element that is so long that the caller parses it. `item` then gets no value, only `text`, and
   * `fault`: the error to throw if `text` is not valid JSON.
   */
  isLong?(text: string): boolean;
  /** Receives a top-level key before its value is read. */
  key?(key: string, isList: boolean): void;
  /** Receives a top-level value that is not a list, such as `info`. */
  value?(key: string, value: unknown): void;
}

const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const COMMA = 0x2c;
const COLON = 0x3a;
const QUOTE = 0x22;
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

/** Token that is expected next, between values. */
type Place =
  | "start"
  | "key or end"
  | "key"
  | "colon"
  | "value"
  | "comma or end"
  | "item or end of list"
  | "item"
  | "comma or end of list"
  | "end";

/** Purpose of the value that is being read. */
type Reading = "nothing" | "key" | "item" | "value" | "skip";

export interface LooselyParsed {
  value: unknown;
  hasNaN: boolean;
}

const STRING_OR_NAN = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\b(?:NaN|Infinity)\b/gs;

/**
 * Parses JSON in which NaN, Infinity and -Infinity, as Python writes them, count as null; `hasNaN` is true if there are
 * any. Throws a SyntaxError.
 */
export function parseLoosely(text: string): LooselyParsed {
  try {
    return { value: JSON.parse(text), hasNaN: false };
  } catch (error) {
    const valid = text.replace(STRING_OR_NAN, (found) => (found.startsWith('"') ? found : "null"));
    if (valid === text) throw error;
    return { value: JSON.parse(valid), hasNaN: true };
  }
}

/**
 * Splits a COCO file of any size into its items while it is received. Top-level keys may have any order and be
 * repeated, and chunks may end anywhere. Lists that are not requested are skipped without parsing (only strings and
 * brackets are checked). Memory is bounded by the largest item. Write all chunks, then call `end`; both throw a
 * CocoFileError.
 */
export class ItemSplitter {
  private place: Place = "start";
  private reading: Reading = "nothing";
  private readonly jsonEnd = new JsonEnd();
  private readonly decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  private readonly counts = new Map<string, number>();
  private key = "";
  /** Bytes of the current value from earlier chunks. */
  private parts: Uint8Array[] = [];
  private partBytes = 0;
  private valueOffset = 0;
  /** Number of bytes of a byte order mark read so far, at the file's start. */
  private markBytes = 0;
  /** Total bytes of the earlier chunks. */
  private offset = 0;

  /** @param lists requested top-level keys, e.g. images, annotations, categories, licenses */
  constructor(
    private readonly lists: ReadonlySet<string>,
    private readonly handlers: ItemHandlers,
    private readonly maxItemBytes = 32 * 1024 * 1024,
  ) {}

  write(chunk: Uint8Array): void {
    let i = 0;
    while (i < chunk.length) {
      if (this.reading === "nothing") i = this.step(chunk, i);
      else i = this.continueValue(chunk, i);
    }
    this.offset += chunk.length;
  }

  end(): void {
    if (this.place === "start") throw this.error("The file is empty", this.offset);
    if (this.place !== "end") throw this.error("The file ends too early", this.offset);
  }

  /** Handles one byte between values. Returns the index at which to continue. */
  private step(chunk: Uint8Array, i: number): number {
    const byte = chunk[i]!;
    if (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09) return i + 1;
    switch (this.place) {
      case "start":
        return this.start(byte, i);
      case "key or end":
        if (byte === CLOSE_OBJECT) return this.go("end", i);
        return this.startKey(byte, i);
      case "key":
        return this.startKey(byte, i);
      case "colon":
        if (byte !== COLON) throw this.unexpected(byte, i);
        return this.go("value", i);
      case "value":
        return this.startValue(byte, i);
      case "comma or end":
        if (byte === CLOSE_OBJECT) return this.go("end", i);
        if (byte === COMMA) return this.go("key", i);
        throw this.unexpected(byte, i);
      case "item or end of list":
        if (byte === CLOSE_LIST) return this.go("comma or end", i);
        return this.read("item", byte, i);
      case "item":
        return this.read("item", byte, i);
      case "comma or end of list":
        if (byte === CLOSE_LIST) return this.go("comma or end", i);
        if (byte === COMMA) return this.go("item", i);
        throw this.unexpected(byte, i);
      case "end":
        throw this.error("Unexpected data after the end of the file's object", this.offset + i);
    }
  }

  private go(place: Place, i: number): number {
    this.place = place;
    return i + 1;
  }

  private start(byte: number, i: number): number {
    const at = this.offset + i;
    if (at === this.markBytes && byte === BYTE_ORDER_MARK[at]) {
      this.markBytes++;
      return i + 1;
    }
    const isMarkBroken = this.markBytes % BYTE_ORDER_MARK.length !== 0;
    if (byte !== OPEN_OBJECT || isMarkBroken) throw this.error("A COCO file is one JSON object in UTF-8", at);
    return this.go("key or end", i);
  }

  private startKey(byte: number, i: number): number {
    if (byte !== QUOTE) throw this.unexpected(byte, i);
    return this.read("key", byte, i);
  }

  private startValue(byte: number, i: number): number {
    this.handlers.key?.(this.key, byte === OPEN_LIST);
    if (byte !== OPEN_LIST) return this.read("value", byte, i);
    if (this.lists.has(this.key)) return this.go("item or end of list", i);
    return this.read("skip", byte, i);
  }

  private read(reading: Reading, byte: number, i: number): number {
    if (byte === COMMA || byte === COLON || byte === CLOSE_LIST || byte === CLOSE_OBJECT)
      throw this.unexpected(byte, i);
    this.reading = reading;
    this.valueOffset = this.offset + i;
    this.jsonEnd.begin(byte);
    return i;
  }

  /** Continues reading the current value. Returns the index after it, or the chunk's end. */
  private continueValue(chunk: Uint8Array, from: number): number {
    const end = this.scan(chunk, from);
    const to = end < 0 ? chunk.length : end;
    const isTooLarge = this.partBytes + to - from > this.maxItemBytes;
    if (isTooLarge && this.reading === "value" && !this.handlers.value) this.skipRest();
    if (this.reading !== "skip") {
      if (isTooLarge) throw this.error(`${this.subject()} is larger than ${this.maxItemBytes} bytes`, this.valueOffset);
      if (end < 0) {
        this.parts.push(chunk.slice(from, to));
        this.partBytes += to - from;
      }
    }
    if (end >= 0) this.finish(chunk, from, end);
    return to;
  }

  /** Skips the rest of a value that is too large to hold and that no handler needs. */
  private skipRest(): void {
    this.reading = "skip";
    this.parts = [];
    this.partBytes = 0;
  }

  private scan(chunk: Uint8Array, from: number): number {
    try {
      return this.jsonEnd.scan(chunk, from);
    } catch (error) {
      if (error instanceof JsonEndError)
        throw this.error(`${this.subject()} ${error.message}`, this.offset + error.index);
      throw error;
    }
  }

  private finish(chunk: Uint8Array, from: number, to: number): void {
    const { reading, key } = this;
    const text = reading === "skip" ? "" : this.decode(this.joined(chunk.subarray(from, to)));
    const fault = reading === "item" && this.handlers.isLong?.(text) ? this.invalidJson() : undefined;
    const isRead = reading !== "skip" && !fault;
    const { value, hasNaN } = isRead ? this.parse(text) : { value: undefined, hasNaN: false };
    this.reading = "nothing";
    this.parts = [];
    this.partBytes = 0;
    if (reading === "key") {
      this.key = String(value);
      this.place = "colon";
    } else if (reading === "item") {
      this.place = "comma or end of list";
      const index = this.counts.get(key) ?? 0;
      this.counts.set(key, index + 1);
      this.handlers.item(key, index, value, text, hasNaN, fault);
    } else {
      this.place = "comma or end";
      if (reading === "value") this.handlers.value?.(key, value);
    }
  }

  private joined(last: Uint8Array): Uint8Array {
    if (this.parts.length === 0) return last;
    const whole = new Uint8Array(this.partBytes + last.length);
    let at = 0;
    for (const part of this.parts) {
      whole.set(part, at);
      at += part.length;
    }
    whole.set(last, at);
    return whole;
  }

  private decode(bytes: Uint8Array): string {
    try {
      return this.decoder.decode(bytes);
    } catch {
      throw this.invalidJson();
    }
  }

  private parse(text: string): LooselyParsed {
    try {
      return parseLoosely(text);
    } catch {
      throw this.invalidJson();
    }
  }

  private invalidJson(): CocoFileError {
    return this.error(`${this.subject()} is not valid JSON in UTF-8`, this.valueOffset);
  }

  /** Returns the name of the current value for messages. */
  private subject(): string {
    if (this.reading === "key") return "A key";
    const name = JSON.stringify(this.key.slice(0, 50));
    return this.reading === "item" ? `Item ${this.counts.get(this.key) ?? 0} of ${name}` : `The value of ${name}`;
  }

  private unexpected(byte: number, i: number): CocoFileError {
    const shown = byte > 0x20 && byte < 0x7f ? `"${String.fromCharCode(byte)}"` : `byte 0x${byte.toString(16)}`;
    return this.error(`Unexpected ${shown}, expected ${this.place}`, this.offset + i);
  }

  private error(message: string, offset: number): CocoFileError {
    return new CocoFileError(message, offset);
  }
}
