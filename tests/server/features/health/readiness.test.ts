import { afterEach, expect, test, vi } from "vitest";
import { SCHEMA_VERSION } from "../../../../server/db/migrate";
import { Readiness } from "../../../../server/features/health/readiness";

afterEach(() => void vi.useRealTimers());

test("asks the database once for many probes, and again after a second", async () => {
  let now = 0;
  const read = vi.fn(async () => SCHEMA_VERSION);
  const readiness = new Readiness(read, () => now);
  await Promise.all(Array.from({ length: 100 }, () => readiness.requireReady()));
  await readiness.requireReady();
  expect(read).toHaveBeenCalledTimes(1);
  now = 1_001;
  await readiness.requireReady();
  expect(read).toHaveBeenCalledTimes(2);
});

test("the check of the database alone is never reused, but simultaneous ones are one query", async () => {
  const read = vi.fn(async () => SCHEMA_VERSION);
  const readiness = new Readiness(read, () => 0);
  await Promise.all([readiness.requireDatabase(), readiness.requireDatabase()]);
  expect(read).toHaveBeenCalledTimes(1);
  await readiness.requireDatabase();
  expect(read).toHaveBeenCalledTimes(2);
});

test("a failure is reused as long, then the database is asked again", async () => {
  let now = 0;
  const read = vi.fn(async (): Promise<string> => SCHEMA_VERSION);
  read.mockRejectedValueOnce(new Error("gone"));
  const readiness = new Readiness(read, () => now);
  for (let probe = 0; probe < 3; probe++) await expect(readiness.requireReady()).rejects.toMatchObject({ status: 503 });
  expect(read).toHaveBeenCalledTimes(1);
  now = 1_001;
  await readiness.requireReady();
});

test("a database that hangs is reported after two seconds, and is not asked again before it responds", async () => {
  vi.useFakeTimers();
  let respond: (version: string) => void = () => undefined;
  const read = vi.fn(() => new Promise<string>((resolve) => (respond = resolve)));
  let now = 0;
  const readiness = new Readiness(read, () => now);
  for (const time of [0, 4_000, 8_000]) {
    now = time;
    const probe = expect(readiness.requireReady()).rejects.toMatchObject({
      message: "The database is not responding.",
    });
    await vi.advanceTimersByTimeAsync(2_000);
    await probe;
  }
  expect(read).toHaveBeenCalledTimes(1);
  respond(SCHEMA_VERSION);
  await vi.advanceTimersByTimeAsync(0);
  now = 12_000;
  read.mockResolvedValue(SCHEMA_VERSION);
  await readiness.requireReady();
  expect(read).toHaveBeenCalledTimes(2);
});

test("older tables are not ready, newer ones are, since a newer server may have updated them", async () => {
  await expect(new Readiness(async () => "0001-firstTables").requireReady()).rejects.toMatchObject({ status: 503 });
  await expect(new Readiness(async () => undefined).requireReady()).rejects.toMatchObject({ status: 503 });
  await new Readiness(async () => "9999-later").requireReady();
});

test("a stopping server is not ready, although its database responds", async () => {
  const readiness = new Readiness(async () => SCHEMA_VERSION);
  await readiness.requireReady();
  readiness.startStopping();
  await expect(readiness.requireReady()).rejects.toMatchObject({ status: 503 });
  await readiness.requireDatabase();
});
