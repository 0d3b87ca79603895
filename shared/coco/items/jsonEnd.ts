import { MAX_JSON_DEPTH } from "../../constants";

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** Bytes that matter inside a list or object. All others are skipped. */
const MATTERS = new Uint8Array(256);
for (const byte of [QUOTE, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT]) MATTERS[byte] = 1;

/** Bytes that end a number or a literal such as `true`. */
const ENDS_WORD = new Uint8Array(256);
for (const character of ',]}:"[{ \t\n\r') ENDS_WORD[character.charCodeAt(0)] = 1;

/** Error in a value. `index` is its position in the chunk. */
export class JsonEndError extends Error {
  constructor(
    message: string,
    readonly index: number,
  ) {
    super(message);
  }
}

/**
 * Finds the end of a JSON value that spans any number of chunks. Checks only strings and brackets; the parser validates
 * the rest. The maximum nesting is the same as for request bodies.
 */
export class JsonEnd {
  private kind: "container" | "string" | "word" = "word";
  private depth = 0;
  /** One bit for each open bracket, the innermost lowest: 1 for a list. */
  private lists = 0;
  private inString = false;
  private escaped = false;

  /** Begins a value with its first byte. The scan must start at the same byte. */
  begin(byte: number): void {
    this.kind = byte === QUOTE ? "string" : byte === OPEN_LIST || byte === OPEN_OBJECT ? "container" : "word";
    this.depth = 0;
    this.lists = 0;
    this.inString = false;
    this.escaped = false;
  }

  /** Returns the index after the value, or -1 if it continues in the next chunk. Throws a JsonEndError. */
  scan(bytes: Uint8Array, from: number): number {
    if (this.kind === "container") return this.scanContainer(bytes, from);
    if (this.kind === "word") return scanWord(bytes, from);
    if (this.inString) return this.scanString(bytes, from);
    this.inString = true;
    return this.scanString(bytes, from + 1);
  }

  private scanContainer(bytes: Uint8Array, from: number): number {
    const end = bytes.length;
    let i = from;
    while (i < end) {
      if (this.inString) {
        i = this.scanString(bytes, i);
        if (i < 0) return -1;
      }
      while (i < end && MATTERS[bytes[i]!] === 0) i++;
      if (i === end) return -1;
      const byte = bytes[i]!;
      if (byte === QUOTE) this.inString = true;
      else if (byte === OPEN_LIST || byte === OPEN_OBJECT) this.open(byte === OPEN_LIST ? 1 : 0, i);
      else if (this.close(byte === CLOSE_LIST ? 1 : 0, i)) return i + 1;
      i++;
    }
    return -1;
  }

  private open(list: number, index: number): void {
    if (this.depth === MAX_JSON_DEPTH) throw new JsonEndError(`is nested deeper than ${MAX_JSON_DEPTH}`, index);
    this.depth++;
    this.lists = (this.lists << 1) | list;
  }

  private close(list: number, index: number): boolean {
    if ((this.lists & 1) !== list) throw new JsonEndError("has brackets that do not match", index);
    this.lists >>>= 1;
    return --this.depth === 0;
  }

  /** Returns the index after the closing quote, or -1. */
  private scanString(bytes: Uint8Array, from: number): number {
    const end = bytes.length;
    let i = from;
    if (this.escaped && i < end) {
      this.escaped = false;
      i++;
    }
    for (;;) {
      while (i < end && bytes[i] !== QUOTE && bytes[i] !== BACKSLASH) i++;
      if (i >= end) return -1;
      if (bytes[i] === QUOTE) {
        this.inString = false;
        return i + 1;
      }
      if (i + 1 === end) {
        this.escaped = true;
        return -1;
      }
      i += 2;
    }
  }
}

function scanWord(bytes: Uint8Array, from: number): number {
  let i = from;
  while (i < bytes.length && ENDS_WORD[bytes[i]!] === 0) i++;
  return i < bytes.length ? i : -1;
}
