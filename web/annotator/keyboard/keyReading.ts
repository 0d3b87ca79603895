/** Keys pressed together, named by what they type in lower case, modifiers first: ["control", "shift", "z"]. */
export type KeySet = readonly string[];

/** The fields of a key event that are read here. */
export type KeyPress = Pick<KeyboardEvent, "key" | "code" | "ctrlKey" | "metaKey" | "altKey" | "shiftKey"> & {
  getModifierState?: (name: string) => boolean;
};

/** Names of modifier keys. Command counts as Control. */
const MODIFIERS: Record<string, string> = { Control: "control", Meta: "control", Alt: "alt", Shift: "shift" };
/** Symbols on a US keyboard, by physical key. With non-Latin layouts these keys may type letters. */
const SYMBOL_KEYS: Record<string, string> = {
  BracketLeft: "[",
  BracketRight: "]",
  Backslash: "\\",
  Semicolon: ";",
  Quote: "'",
  Comma: ",",
  Period: ".",
  Slash: "/",
  Minus: "-",
  Equal: "=",
  Backquote: "`",
};

/** Returns the name of a key by what it types: "a", "arrowup", " ", "control". */
export function nameOf(key: string): string {
  return MODIFIERS[key] ?? key.toLowerCase();
}

export const isModifier = (name: string): boolean => ["control", "alt", "shift"].includes(name);

/**
 * Returns the key combinations that a press can mean, most likely first: by the typed character, then, if that is not a
 * Latin letter, by the physical key, so that shortcuts work with Greek, Cyrillic or French layouts. Shift and Alt do
 * not count with a symbol, because they may be needed to type it.
 */
export function readingsOf(event: KeyPress): KeySet[] {
  const { key, ctrlKey, metaKey, altKey, shiftKey } = event;
  if (key in MODIFIERS) return [[nameOf(key)]];
  if (["AltGraph", "Process", "Unidentified"].includes(key)) return [];
  const isAltGraph = event.getModifierState?.("AltGraph") ?? false;
  const control = (ctrlKey && !isAltGraph) || metaKey;
  const alt = altKey && !isAltGraph;
  const readings: KeySet[] = [];
  if (key !== "Dead") {
    const kind = kindOf(key);
    readings.push(keySet({ control, alt: alt && kind !== "symbol", shift: shiftKey && kind === "letter" }, key));
  }
  const physical = physicalName(event);
  if (physical !== null) readings.push(keySet({ control, alt, shift: shiftKey }, physical));
  return readings.filter((each, index) => index === 0 || !sameKeys(each, readings[0] ?? []));
}

interface Held {
  control: boolean;
  alt: boolean;
  shift: boolean;
}

function keySet({ control, alt, shift }: Held, key: string): KeySet {
  return [...(control ? ["control"] : []), ...(alt ? ["alt"] : []), ...(shift ? ["shift"] : []), nameOf(key)];
}

/** Classifies a key. Named keys and the space bar count as letters, because Shift is significant with them. */
function kindOf(key: string): "letter" | "digit" | "symbol" {
  if ([...key].length > 1 || /[a-z ]/i.test(key)) return "letter";
  return /\d/.test(key) ? "digit" : "symbol";
}

/**
 * Returns the letter, digit or symbol that a key has on a US keyboard, if the key does not type a Latin letter;
 * otherwise null.
 */
function physicalName({ key, code }: KeyPress): string | null {
  if (key !== "Dead" && kindOf(key) === "letter") return null;
  const [, letter] = /^Key([A-Z])$/.exec(code) ?? [];
  if (letter) return letter.toLowerCase();
  const [, digit] = /^Digit(\d)$/.exec(code) ?? [];
  if (digit) return digit;
  const isForeign = /^\p{L}$/u.test(key) && !/^\p{Script=Latin}$/u.test(key);
  return isForeign ? (SYMBOL_KEYS[code] ?? null) : null;
}

/** Returns true if both have the same keys, in any order. */
export function sameKeys(a: Iterable<string>, b: Iterable<string>): boolean {
  const [one, other] = [new Set(a), new Set(b)];
  return one.size === other.size && [...one].every((key) => other.has(key));
}
