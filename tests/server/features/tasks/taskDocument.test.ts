import { afterEach, expect, it, vi } from "vitest";
import { logLine } from "../../../../server/features/tasks/taskDocument";

afterEach(() => vi.unstubAllEnvs());

it("formats a log's times in UTC, in any time zone of the server", () => {
  vi.stubEnv("TZ", "Asia/Tokyo");
  const created_at = new Date("2026-01-31T20:05:09Z");
  expect(created_at.getHours()).toBe(5);
  expect(logLine({ level: "INFO", text: "Found a.png", created_at })).toBe("[31-01-2026 20:05:09] [INFO] Found a.png");
});
