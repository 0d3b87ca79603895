import { NEW_USERNAME, RESERVED_USERNAMES } from "../../../../shared/entities/accounts/user";
import { foldName } from "../../../../shared/text/fold";

const MAX_USERNAME = 25;

/**
 * Returns the name of an account in Limn: the old one if Limn allows it and it is free, otherwise a similar one.
 * `isTaken` receives names in lower case.
 */
export function usernameFor(old: string, isTaken: (name: string) => boolean): string {
  const isFree = (name: string) =>
    NEW_USERNAME.test(name) && !RESERVED_USERNAMES.includes(name.toLowerCase()) && !isTaken(name.toLowerCase());
  if (isFree(old)) return old;
  const plain = NEW_USERNAME.test(old) ? old : plainName(old);
  for (let number = 1; ; number++) {
    const addition = number === 1 ? "" : `-${number}`;
    const name = plain.slice(0, MAX_USERNAME - addition.length) + addition;
    if (isFree(name)) return name;
  }
}

const LETTERS: Record<string, string> = { ß: "ss", æ: "ae", Æ: "AE", ø: "o", Ø: "O", œ: "oe", Œ: "OE", ł: "l", Ł: "L" };

/** Returns the name with the letters that a username may have. */
function plainName(old: string): string {
  const letters = [...old.normalize("NFKD").replace(/\p{M}/gu, "")].map((letter) => LETTERS[letter] ?? letter).join("");
  const plain = letters
    .trim()
    .replace(/[^A-Za-z0-9_.-]+/g, "_")
    .slice(0, MAX_USERNAME);
  return /[A-Za-z0-9]/.test(plain) ? plain : "user";
}

/** Returns `name`, or with a number behind it if that is taken: "cat 2". `isTaken` receives the result of foldName. */
export function numberedName(name: string, longest: number, isTaken: (folded: string) => boolean): string {
  for (let number = 1; ; number++) {
    const addition = number === 1 ? "" : ` ${number}`;
    const wanted =
      name
        .slice(0, longest - addition.length)
        .toWellFormed()
        .trimEnd() + addition;
    if (!isTaken(foldName(wanted))) return wanted;
  }
}
