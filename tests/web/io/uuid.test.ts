import { expect, test } from "vitest";
import { z } from "zod";
import { uuid } from "../../../web/io/uuid";

test("thousands of uuids are all different, random and of version 4", () => {
  const made = Array.from({ length: 2000 }, uuid);
  expect(new Set(made).size).toBe(2000);
  for (const each of made) expect(z.uuidv4().safeParse(each).success).toBe(true);
  const digits = new Set(made.map((each) => each[0]));
  expect(digits.size).toBe(16);
});
