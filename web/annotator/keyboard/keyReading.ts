/** Keys pressed together, modifiers first: ["control", "shift", "z"]. By what they type, in lower case. */
export type KeySet = readonly string[];

/** The used part of a key event. */
export type KeyPress = Pick<KeyboardEvent, "key" | "code" | "ctrlKey" | "metaKey" | "altKey" | "shiftKey"> & {
  getModifierState?: (name: string) => boolean;
};

/** Command counts as Control. */
const MODIFIERS: Record<string, string> = { Control: "control", Meta: "control", Alt: "alt", Shift: "shift" };
/** Of a US keyboard: where letters are not Latin, these keys type letters as well. */
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

/** A key by what it types: "a", "arrowup", " ", "control". */
export function nameOf(key: string): string {
  return MODIFIERS[key] ?? key.toLowerCase();
}

export const isModifier = (name: string): boolean => ["control", "alt", "shift"].includes(name);

/**
 * The sets of keys that a press can mean, the likeliest first: by what is typed, then, where that is no Latin letter, by
 * the physical key, so that keys keep their meaning under a Greek, Cyrillic or French keyboard. Shift and Alt are part of
 * how a symbol is typed, and do not count with one.
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

/** Named keys and the space bar are as letters are: Shift counts with them. */
function kindOf(key: string): "letter" | "digit" | "symbol" {
  if ([...key].length > 1 || /[a-z ]/i.test(key)) return "letter";
  return /\d/.test(key) ? "digit" : "symbol";
}

/** Returns a US keyboard's symbol for keys that type no Latin letter; null if there is none. */
function physicalName({ key, code }: KeyPress): string | null {
  if (key !== "Dead" && kindOf(key) === "letter") return null;
  const [, letter] = /^Key([A-Z])$/.exec(code) ?? [];
  if (letter) return letter.toLowerCase();
  const [, digit] = /^Digit(\d)$/.exec(code) ?? [];
  if (digit) return digit;
  const isForeign = /^\p{L}$/u.test(key) && !/^\p{Script=Latin}$/u.test(key);
  return isForeign ? (SYMBOL_KEYS[code] ?? null) : null;
}

/** In whatever order. */
export function sameKeys(a: Iterable<string>, b: Iterable<string>): boolean {
  const [one, other] = [new Set(a), new Set(b)];
  return one.size === other.size && [...one].every((key) => other.has(key));
}
