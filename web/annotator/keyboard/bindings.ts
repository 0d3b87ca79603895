import { t } from "@lingui/core/macro";
import { z } from "zod";
import { controlKey, isMac } from "../../components/platform";
import { isModifier, type KeySet, sameKeys } from "./keyReading";
import { type ChangedKeys, type Command, sharesMode } from "./shortcuts";

/** Maximum number of key combinations of one command. */
export const MAX_SETS = 4;
const MAX_COMMANDS = 500;

const keySet = z
  .array(z.string().min(1).max(20))
  .min(1)
  .max(4)
  // The keys may have been chosen on another computer, so those reserved by macOS are valid.
  .refine((keys) => refusal(keys, false) === null);
const keySets = z.array(keySet).max(MAX_SETS);

/** Parses stored keys command by command. A command with invalid keys is left out, so it has its default keys. */
export function readChanged(stored: unknown): ChangedKeys {
  if (typeof stored !== "object" || stored === null || Array.isArray(stored)) return {};
  const read = Object.entries(stored).slice(0, MAX_COMMANDS);
  return Object.fromEntries(
    read.flatMap(([id, value]) => {
      const { data } = keySets.safeParse(value);
      return data && id !== "__proto__" ? [[id, data] as const] : [];
    }),
  );
}

/** Returns the reason why keys cannot be bound to a command, as a message for the user; null if they can. */
export function refusal(keys: KeySet, mac = isMac()): string | null {
  const ends = keys.filter((key) => !isModifier(key));
  if (ends.length !== 1) return t`Press one key, with or without ${{ key: controlKey(mac) }}, Alt and Shift.`;
  if (["tab", "escape"].includes(ends[0] ?? "")) return t`This key is reserved for leaving fields and dialogs.`;
  const isPressed = ([set]: Reserved) => sameKeys(set, keys);
  const reserved = reservedByBrowsers().find(isPressed);
  if (reserved) return t`Reserved by the browser: ${{ effect: reserved[1] }}`;
  const ofMac = mac ? reservedByMacos().find(isPressed) : undefined;
  return ofMac ? t`Reserved by macOS: ${{ effect: ofMac[1] }}` : null;
}

type Reserved = [keys: KeySet, effect: string];

/**
 * Combinations that a browser handles itself, whatever the page does. Combinations of one browser are refused in all,
 * because the user's keys are the same in every browser.
 */
const reservedByBrowsers = (): Reserved[] => [
  [["control", "w"], t`it closes the tab.`],
  [["control", "shift", "w"], t`it closes the window.`],
  [["control", "f4"], t`it closes the tab.`],
  [["alt", "f4"], t`it closes the window.`],
  [["control", "t"], t`it opens a tab.`],
  [["control", "shift", "t"], t`it reopens the last tab.`],
  [["control", "n"], t`it opens a window.`],
  [["control", "shift", "n"], t`it opens a private window.`],
  [["control", "shift", "p"], t`it opens a private window in Firefox.`],
  [["control", "q"], t`it quits the browser.`],
  [["control", "shift", "q"], t`it quits the browser.`],
  [["control", "pageup"], t`it switches tabs.`],
  [["control", "pagedown"], t`it switches tabs.`],
  [["f11"], t`it toggles full screen.`],
];

/** Combinations that macOS handles before any browser. */
const reservedByMacos = (): Reserved[] => [
  [["control", "h"], t`it hides the browser.`],
  [["control", "alt", "h"], t`it hides the other programs.`],
  [["control", "m"], t`it minimizes the window.`],
  [["control", "`"], t`it switches windows.`],
  [["control", " "], t`it opens Spotlight.`],
  [["control", "alt", " "], t`it opens a search in the Finder.`],
  [["control", "shift", "3"], t`it takes a screenshot.`],
  [["control", "shift", "4"], t`it takes a screenshot.`],
  [["control", "shift", "5"], t`it takes a screenshot.`],
];

/** Returns the other commands with the same keys in the same mode. */
export function clashes(
  commands: readonly Command[],
  keysOf: (command: Command) => readonly KeySet[],
  of: Command,
  keys: KeySet,
): Command[] {
  return commands.filter(
    (other) => other.id !== of.id && sharesMode(other, of) && keysOf(other).some((set) => sameKeys(set, keys)),
  );
}

/**
 * Replaces one key combination of a command, or adds one if `old` is null. If there are more than `MAX_SETS`, drops the
 * oldest.
 */
export function replaceKeys(sets: readonly KeySet[], old: KeySet | null, keys: KeySet): string[][] {
  const others = sets.filter((set) => set === old || !sameKeys(set, keys));
  const next = old === null ? [...others, keys].slice(-MAX_SETS) : others.map((set) => (set === old ? keys : set));
  return next.map((set) => [...set]);
}

export const removeKeys = (sets: readonly KeySet[], keys: KeySet): string[][] =>
  sets.filter((set) => !sameKeys(set, keys)).map((set) => [...set]);
