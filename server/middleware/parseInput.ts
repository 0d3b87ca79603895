import type { ParsedUrlQuery } from "node:querystring";
import type { z } from "zod";
import { INVALID_INPUT, needsField, reasonFor } from "../../shared/rules/reasonFor";
import { badRequest, type FieldErrors } from "../base/errors";

const MAX_ERRORS = 20;

/** Parses a value with the schema and removes unknown keys. Throws 400 with the reason for each field. */
export function parseInput<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
  const { data, error } = schema.safeParse(value, { error: reasonFor });
  if (!error) return data;
  throw badRequest(messageFor(error), errorsFor(error));
}

/**
 * Returns the first issue's message if it is a complete sentence. Other messages make sense only next to their field,
 * and are replaced by a general one.
 */
function messageFor({ issues: [issue] }: z.ZodError): string {
  return issue && !needsField(issue.message) && !OF_ZOD.test(issue.message) ? issue.message : INVALID_INPUT;
}

const OF_ZOD = /^(Invalid (input|string|option|key|element|UUID|URL|ISO|number)|Too (big|small)|Unrecognized)/;

function errorsFor({ issues }: z.ZodError): FieldErrors {
  const reasons = issues.slice(0, MAX_ERRORS).map((issue) => [fieldOf(issue), issue.message]);
  return Object.fromEntries(reasons.reverse());
}

function fieldOf({ path }: z.core.$ZodIssue): string {
  return path.map(String).join(".").slice(0, 100) || "body";
}

/** Returns the query with single values. Joins repeated ids with commas; throws 400 for other repeated keys. */
export function singleValues(query: ParsedUrlQuery): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(query).map(([key, value]) => [key, singleValue(key, value)]));
}

function singleValue(key: string, value: string | string[] | undefined): string | undefined {
  if (!Array.isArray(value)) return value;
  if (value.every((each) => /^[\d,\s]*$/.test(each))) return value.join(",");
  throw badRequest(INVALID_INPUT, { [key.slice(0, 100)]: "Given more than once" });
}
