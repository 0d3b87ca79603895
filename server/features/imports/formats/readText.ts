import { parse } from "yaml";
import { type LooselyParsed, parseLoosely } from "../../../../shared/coco/items/items";
import { FormatError } from "../../../../shared/formats/formatError";
import { readVoc, type VocFile, type VocItem } from "../../../../shared/formats/vocFile";
import { threadsOf } from "../../../threads/threads";

/** A VocFile with errors as text, since error classes are lost between threads. */
export type VocText = { problem: string } | (Omit<VocFile, "objects"> & { objects: (VocItem | { problem: string })[] });

/** Readers by kind of text. They return undefined or a problem for malformed text. */
export const readers = { voc, yaml, json };

export type Kind = keyof typeof readers;
export type Read<K extends Kind> = ReturnType<(typeof readers)[K]>;
export interface Question {
  kind: Kind;
  text: string;
}

const HEAP_MB = 512;
const take = threadsOf<Question, unknown>(new URL("./textWork", import.meta.url), HEAP_MB);

/** Maximum characters parsed on the main thread; longer texts go to a thread, so that the server stays responsive. */
const SHORT = 20_000;

/** Reads a text as the given kind, in a thread if it is long. */
export async function readText<K extends Kind>(kind: K, text: string, signal: AbortSignal): Promise<Read<K>> {
  if (text.length <= SHORT) return readers[kind](text) as Read<K>;
  const thread = take();
  try {
    return (await thread.ask({ kind, text }, { signal })) as Read<K>;
  } finally {
    thread.end();
  }
}

function voc(text: string): VocText {
  try {
    const { objects, ...file } = readVoc(text);
    return { ...file, objects: objects.map((one) => (one instanceof FormatError ? { problem: one.message } : one)) };
  } catch (error) {
    if (error instanceof FormatError) return { problem: error.message };
    throw error;
  }
}

/** Maximum values in one element of a COCO file: the longest mask, and room for everything else. */
const MAX_VALUES = 2_000_000 + 500_000;

/** Reads one element of a COCO file. */
function json(text: string): LooselyParsed | { problem: string } | undefined {
  let values = 0;
  for (let at = text.indexOf(","); at >= 0; at = text.indexOf(",", at + 1)) values++;
  if (values > MAX_VALUES) return { problem: `has more than ${MAX_VALUES} values` };
  try {
    return parseLoosely(text);
  } catch {
    return undefined;
  }
}

/**
 * Maximum nesting, far more than a list of names needs. The package has no limit, and a stack overflow may end the
 * process.
 */
const MAX_DEPTH = 100;

function yaml(text: string): unknown {
  if (depthOf(text) > MAX_DEPTH) return undefined;
  try {
    return parse(text, { maxAliasCount: 10, logLevel: "silent" });
  } catch {
    return undefined;
  }
}

/**
 * Returns an upper bound of a YAML text's nesting depth, from its brackets, its indentation, and the lists and keys
 * that begin on one line.
 */
function depthOf(text: string): number {
  let [open, begun, blank, deepest] = [0, 0, 0, 0];
  let isStart = true;
  let before = "";
  for (const letter of text) {
    if (letter === "\n") [begun, blank, isStart] = [0, 0, true];
    else if (letter === "[" || letter === "{") open++;
    else if (letter === "]" || letter === "}") open = Math.max(0, open - 1);
    else if (letter !== " " && letter !== "\t") isStart = false;
    else if (isStart) blank++;
    else if (before === "-" || before === "?" || before === ":") begun++;
    deepest = Math.max(deepest, open, begun, blank);
    before = letter;
  }
  return deepest;
}
