import type { z } from "zod";

/** Message of a response to invalid input. Its `errors` has the fields and reasons. */
export const INVALID_INPUT = "Input payload validation failed";

/**
 * Describes an invalid value for users: the expected value and, briefly, the received one. Pass it to zod as `error`; a
 * schema's own messages take precedence. Values that may be secret are never repeated.
 */
export function reasonFor(issue: z.core.$ZodRawIssue): string | undefined {
  // The discriminator matches no member of the union; `input` is the whole object then.
  if (issue.code === "invalid_union" && issue.errors.length === 0) return "Must be a known kind";
  if (issue.code === "invalid_union")
    return ofNearest(issue.errors) ?? expectation(`be ${typesOf(issue.errors)}`, issue);
  if (issue.code === "invalid_type" && issue.input === undefined)
    return `Is required and must be ${typeOf(issue.expected)}`;
  const expected = expectedValue(issue);
  return expected && expectation(expected, issue);
}

/** Returns true if a reason is a sentence only after the name of its field. */
export const needsField = (reason: string): boolean => /^(Must |Is required and )/.test(reason);

/** Returns a reason with the name of its field, such as: limit must be a whole number, not "x". */
export const withField = (field: string, reason: string): string =>
  needsField(reason) ? `${field} ${reason.charAt(0).toLowerCase()}${reason.slice(1)}` : `${field}: ${reason}`;

function expectedValue(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case "invalid_type":
      return `be ${typeOf(issue.expected)}`;
    case "too_small":
      return issue.origin === "string" && issue.minimum === 1
        ? "not be empty"
        : bound(issue, "at least", issue.minimum);
    case "too_big":
      return bound(issue, "at most", issue.maximum);
    case "invalid_format":
      return `be ${FORMATS[issue.format] ?? "in the expected format"}`;
    case "invalid_value":
      return `be ${listed(issue.values.map(String))}`;
    case "not_multiple_of":
      return `be a multiple of ${issue.divisor}`;
    default:
      return undefined;
  }
}

const MOST_LISTED = 12;

function listed(values: string[]): string {
  if (values.length === 1) return `${values[0]}`;
  return `one of ${values.slice(0, MOST_LISTED).join(", ")}${values.length > MOST_LISTED ? ", …" : ""}`;
}

function bound({ origin }: { origin: string }, which: string, limit: number | bigint): string {
  if (origin === "string") return `have ${which} ${limit} characters`;
  if (origin === "array" || origin === "set") return `have ${which} ${limit} entries`;
  return `be ${which} ${limit}`;
}

const TYPES: Record<string, string> = {
  string: "text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  tuple: "a list",
  object: "an object",
  record: "an object",
  null: "null",
};
const typeOf = (type: string): string => TYPES[type] ?? "of the expected type";

const FORMATS: Record<string, string> = {
  uuid: "a UUID",
  guid: "a UUID",
  url: "a URL",
  datetime: "a date and time like 2026-01-31T12:00:00Z",
  email: "an e-mail address",
};

/** Returns the reason from the first member of a union that has the type of the value. */
function ofNearest(errors: readonly (readonly z.core.$ZodIssue[])[]): string | undefined {
  return errors.flat().find(({ code, path }) => code !== "invalid_type" || path.length > 0)?.message;
}

function typesOf(errors: readonly (readonly z.core.$ZodIssue[])[]): string {
  const types = errors.flat().map((issue) => typeOf(issue.code === "invalid_type" ? issue.expected : ""));
  return [...new Set(types)].join(" or ");
}

function expectation(expected: string, issue: z.core.$ZodRawIssue): string {
  const received = isSecret(issue.path ?? []) ? undefined : receivedValue(issue);
  return `Must ${expected}${received === undefined ? "" : `, not ${received}`}`;
}

const isSecret = (path: readonly PropertyKey[]) =>
  path.some((key) => /pass|token|secret|authori|cookie/i.test(String(key)));

const MOST_SHOWN = 40;

/** Returns a short description of the received value, or undefined if none would help. */
function receivedValue({ code, input }: z.core.$ZodRawIssue): string | undefined {
  if (Array.isArray(input)) return `a list of ${input.length}`;
  if (typeof input === "object" && input !== null) return "an object";
  if (typeof input !== "string") return input === undefined ? undefined : String(input);
  if (code === "too_big" || code === "too_small") return input === "" ? undefined : `${input.length}`;
  const line = input.toWellFormed().replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, "\u{fffd}");
  return `"${line.length > MOST_SHOWN ? `${line.slice(0, MOST_SHOWN)}…` : line}"`;
}
