import { z } from "zod";
import type { Call } from "../../../shared/api/protocol/call";

/** Values that no client should send, as JSON text, so that some can be outside the range of JavaScript values. */
export const HOSTILE_JSON = [
  "null",
  "true",
  "0",
  "-1",
  "1.5",
  "1e309",
  "-1e309",
  "2147483648",
  "9007199254740993",
  '""',
  '" "',
  '"x"',
  '"\\u0000"',
  '"\\ud800"',
  '"\\u202e"',
  '"../../etc/passwd"',
  '"<img src=x onerror=alert(1)>"',
  '"\'; drop table users; --"',
  '"%"',
  '"\\\\"',
  `"${"x".repeat(10_000)}"`,
  "[]",
  "[null]",
  '["\\u0000"]',
  "[[[[1]]]]",
  "[1e309]",
  `[${"0,".repeat(5_000)}0]`,
  "{}",
  '{"$ne":1}',
  '{"__proto__":{"admin":true}}',
  '{"constructor":{"prototype":{}}}',
  '{"":0,"a.b":1,"\\u0000":2}',
  `${"[".repeat(28)}${"]".repeat(28)}`,
];

export const HOSTILE_TEXT = [
  "",
  " ",
  "0",
  "-1",
  "1.5",
  "1e3",
  "x",
  "2147483648",
  "99999999999999999999",
  "\u0000",
  "%",
  "\\",
  "_",
  "../..",
  "' or 1=1 --",
  "[object Object]",
  "1,2,x",
  `1${",1".repeat(4_000)}`,
  "x".repeat(3_000),
];

/** Returns the names of an object schema's keys. */
export function keysOf(schema: z.ZodType | undefined): string[] {
  if (!schema) return [];
  const { properties } = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  return Object.keys(properties ?? {});
}

export const namesInPath = ({ path }: Call): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
