import { expect, it } from "vitest";
import { z } from "zod";
import { limit } from "../../../shared/api/protocol/inputs";
import { errorOfResponse } from "../../../shared/api/protocol/requestError";
import { INVALID_INPUT, reasonFor, withField } from "../../../shared/rules/reasonFor";

const reason = (schema: z.ZodType, value: unknown) =>
  schema.safeParse(value, { error: reasonFor }).error?.issues[0]?.message;

it("states what was expected and what was received", () => {
  expect(reason(z.number(), "ten")).toBe('Must be a number, not "ten"');
  expect(reason(z.number().int(), 1.5)).toBe("Must be a whole number, not 1.5");
  expect(reason(z.number(), null)).toBe("Must be a number, not null");
  expect(reason(z.boolean(), [1, 2])).toBe("Must be true or false, not a list of 2");
  expect(reason(z.string(), { a: 1 })).toBe("Must be text, not an object");
  expect(reason(z.array(z.string()), "x")).toBe('Must be a list, not "x"');
  expect(reason(z.string(), undefined)).toBe("Is required and must be text");
  expect(reason(z.number().max(5), 6)).toBe("Must be at most 5, not 6");
  expect(reason(z.string().min(1), "")).toBe("Must not be empty");
  expect(reason(z.string().max(3), "four")).toBe("Must have at most 3 characters, not 4");
  expect(reason(z.array(z.number()).min(1), [])).toBe("Must have at least 1 entries, not a list of 0");
  expect(reason(z.enum(["a", "b"]), "c")).toBe('Must be one of a, b, not "c"');
  expect(reason(z.uuid(), "x")).toBe('Must be a UUID, not "x"');
});

it("describes the intended one of several forms", () => {
  expect(reason(limit(50), "many")).toBe("Must be a whole number");
  expect(reason(limit(50), 1.5)).toBe("Must be text or a whole number, not 1.5");
  expect(reason(limit(50), "5000")).toBe("Must be at most 1000, not 5000");
  expect(reason(limit(50), true)).toBe("Must be text or a number, not true");
  const forms = z.discriminatedUnion("kind", [z.object({ kind: z.literal("a") }), z.object({ kind: z.literal("b") })]);
  expect(reason(forms, { kind: "c" })).toBe("Must be a known kind");
});

it("returns a schema's own message unchanged", () => {
  expect(reason(z.string().min(1, "Dataset name is required"), "")).toBe("Dataset name is required");
});

it("shortens long values, and repeats no secret and no invisible character", () => {
  expect(reason(z.number(), "x".repeat(5_000))).toBe(`Must be a number, not "${"x".repeat(40)}…"`);
  expect(reason(z.number(), "a\n\u202eb")).toBe('Must be a number, not "a\u{fffd}\u{fffd}b"');
  for (const key of ["password", "new_password", "apiToken"])
    expect(reason(z.object({ [key]: z.number() }), { [key]: "hunter2" })).toBe("Must be a number");
});

it("a page shows the messages of the fields instead of a general one", () => {
  const body = JSON.stringify({
    message: INVALID_INPUT,
    errors: {
      limit: "Must be at most 1000, not 5000",
      name: "Dataset name is required",
      a: "Is required and must be text",
      b: "x",
    },
  });
  expect(errorOfResponse("Loading Dataset", 400, body, null).message).toBe(
    "limit must be at most 1000, not 5000\nname: Dataset name is required\na is required and must be text\n… and 1 more",
  );
  expect(errorOfResponse("X", 400, JSON.stringify({ message: "No.", errors: { a: "Must be b" } }), null).message).toBe(
    "No.",
  );
  expect(errorOfResponse("X", 400, JSON.stringify({ message: INVALID_INPUT, errors: [1] }), null).message).toBe(
    INVALID_INPUT,
  );
  expect(withField("x", "Invalid HEX color.")).toBe("x: Invalid HEX color.");
});
