/**
 * The one rule by which text is compared: `foldName` for equal names, `foldText` for search, `sortKey` for order. The
 * database has the same three functions (server/db/migrations/0029-foldedText.ts), made from the tables of this file: a
 * change of a rule here needs a migration. Text is stored and exported as it was written; only comparisons fold.
 */

/**
 * Letters outside ASCII that have a case: Latin, Greek, Cyrillic and Armenian. Other letters are decomposed into these
 * or have no case.
 */
const CASED = { from: 0xc0, to: 0x58f };

/** Pairs of letters of equal length: each of `from` is folded to the letter at its place in `to`. */
export interface LetterTable {
  from: string;
  to: string;
}

/** Case of letters that have no canonical decomposition, since text is decomposed first. ς is the σ at a word's end. */
export const CASE_LETTERS: LetterTable = caseLetters();
/** Letters that no decomposition turns into a base letter with an accent, although readers see one. */
export const BASE_LETTERS: LetterTable = { from: "øđħłŧıð", to: "odhltid" };
/** Letters that stand for two. */
export const LETTER_PAIRS: readonly (readonly [string, string])[] = [
  ["ß", "ss"],
  ["æ", "ae"],
  ["œ", "oe"],
  ["þ", "th"],
];
/**
 * Accents as a regular expression in the syntax of both JavaScript and PostgreSQL. The marks of other scripts remain.
 */
export const ACCENTS = "[\\u0300-\\u036f]";
/** Number of digits to which `sortKey` pads numbers. Longer numbers are sorted digit by digit. */
export const NUMBER_DIGITS = 20;

const CASE = mapOf(CASE_LETTERS);
const BASE = new Map([...mapOf(BASE_LETTERS), ...LETTER_PAIRS]);
const ANY_ACCENT = new RegExp(ACCENTS, "g");

/** Returns a form that is equal for names which differ only in case or in the encoding of the same characters. */
export function foldName(name: string): string {
  return isAscii(name) ? name.toLowerCase() : lower(name.normalize("NFD"));
}

/**
 * Returns a form for search: like `foldName`, but also without accents, compatibility forms and ligatures ("Straße"
 * like "strasse").
 */
export function foldText(text: string): string {
  if (isAscii(text)) return text.toLowerCase();
  return mapped(lower(text.normalize("NFKD").replace(ANY_ACCENT, "")), BASE);
}

/** Returns a key whose order by code point is the natural order: numbers by value, letters without case and accents. */
export function sortKey(text: string): string {
  return foldText(text).replace(/[0-9]+/g, (digits) => digits.replace(/^0+(?=[0-9])/, "").padStart(NUMBER_DIGITS, "0"));
}

/** True if two names are the same to users: see foldName. */
export const isSameName = (a: string, b: string): boolean => foldName(a) === foldName(b);

/** Compares in natural order; texts that differ only in case or accents by code point. */
export function compareNaturally(a: string, b: string): number {
  return compareCodePoints(sortKey(a), sortKey(b)) || compareCodePoints(a, b);
}

/** Compares by code point, as the database's collation "C" does; `<` would compare by UTF-16 unit. */
export function compareCodePoints(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x !== y) return rankOf(x) - rankOf(y);
  }
  return a.length - b.length;
}

/**
 * Returns a number that sorts halves of surrogate pairs, which stand for code points above U+FFFF, after all others.
 */
const rankOf = (unit: number): number => (unit >= 0xd800 && unit < 0xe000 ? unit + 0x10000 : unit);

const isAscii = (text: string): boolean => !/[^\0-\x7f]/.test(text);

const lower = (text: string): string =>
  mapped(
    text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase()),
    CASE,
  );

function mapped(text: string, letters: ReadonlyMap<string, string>): string {
  return text.replace(/[^\0-\x7f]/g, (letter) => letters.get(letter) ?? letter);
}

function mapOf({ from, to }: LetterTable): Map<string, string> {
  return new Map(Array.from(from, (letter, i) => [letter, to.charAt(i)]));
}

function caseLetters(): LetterTable {
  const pairs: [string, string][] = [["ς", "σ"]];
  for (let code = CASED.from; code <= CASED.to; code++) {
    const letter = String.fromCharCode(code);
    const small = letter.toLowerCase();
    if (small !== letter && small.length === 1 && [letter, small].every(isWhole)) pairs.push([letter, small]);
  }
  // "ẞ" is the only letter beyond this range that people write: in German words in capitals.
  pairs.push(["ẞ", "ß"]);
  return { from: pairs.map(([from]) => from).join(""), to: pairs.map(([, to]) => to).join("") };
}

function isWhole(letter: string): boolean {
  return letter.normalize("NFD") === letter;
}
