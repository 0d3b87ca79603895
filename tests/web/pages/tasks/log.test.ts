import { expect, it } from "vitest";
import { kindOf } from "../../../../web/pages/tasks/logKind";
import { shownLines } from "../../../../web/pages/tasks/TaskLog";

const line = (level: string, text: string) => `[21-11-2026 23:40:22] [${level}] ${text}`;

it("takes the kind of a line from the server's mark, not from its text", () => {
  expect(kindOf(line("ERROR", "Could not read a.jpg"))).toBe("error");
  expect(kindOf(line("WARNING", "[ERROR].jpg is not there"))).toBe("warning");
  expect(kindOf(line("INFO", "Left out [WARNING].txt"))).toBe("info");
  expect(kindOf("")).toBe("info");
});

it("shows the newest first, all or of one kind", () => {
  const lines = [line("INFO", "a"), line("WARNING", "b"), line("INFO", "c"), line("WARNING", "d")];
  expect(shownLines(lines, null).map(({ number }) => number)).toEqual([3, 2, 1, 0]);
  expect(shownLines(lines, "warning").map(({ number }) => number)).toEqual([3, 1]);
  expect(shownLines(lines, "error")).toEqual([]);
});

it("states that times are in UTC, and changes nothing else of a line", () => {
  const text = (each: string) => shownLines([each], null)[0]?.text;
  expect(text(line("INFO", "Found [1]"))).toBe("[21-11-2026 23:40:22 UTC] [INFO] Found [1]");
  expect(text("[no time] a")).toBe("[no time] a");
});
