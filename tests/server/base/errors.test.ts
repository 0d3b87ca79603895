import { sql } from "kysely";
import { beforeAll, describe, expect, it } from "vitest";
import { errorFromSql, notFound, tooMany, unavailable } from "../../../server/base/errors";
import { describeOnBothDatabases, type TestDatabase } from "../../support/databases";

describe("errors", () => {
  it.each([
    ["22P02", 400],
    ["22003", 400],
    ["22021", 400],
    ["08P01", 400],
    ["23505", 409],
    ["53300", 503],
    ["57P01", 503],
    ["08006", 503],
    ["40P01", 503],
    ["ECONNREFUSED", 503],
    ["ENOSPC", 503],
    ["EDQUOT", 503],
  ])("an error with code %s gets status %i", (code, status) => {
    expect(errorFromSql(Object.assign(new Error("secret detail"), { code }))).toMatchObject({ status });
  });

  it.each(["ENOSPC", "EDQUOT", "53100"])("an error with code %s is reported as a full disk", (code) => {
    expect(errorFromSql(Object.assign(new Error("x"), { code }))?.message).toBe("The server's disk is full.");
  });

  it.each(["42601", "23503", "23514", "ENOENT", ""])("an error with code %s is logged as a bug", (code) => {
    expect(errorFromSql(Object.assign(new Error("x"), { code }))).toBeUndefined();
  });

  it("errors state when to retry", () => {
    expect(unavailable().headers).toEqual({ "Retry-After": "2" });
    expect(tooMany(30).headers).toEqual({ "Retry-After": "30" });
    expect(errorFromSql(Object.assign(new Error(), { code: "57P03" }))?.headers).toHaveProperty("Retry-After");
  });

  it("an HttpError is returned unchanged, and values that are not errors are ignored", () => {
    const answer = notFound();
    expect(errorFromSql(answer)).toBe(answer);
    expect(errorFromSql("text")).toBeUndefined();
    expect(errorFromSql(new Error("Connection terminated unexpectedly"))?.status).toBe(503);
  });
});

describeOnBothDatabases("errors caused by input", (open) => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await open();
  });

  it.each([
    ["an id beyond the integers", sql`select ${2147483648}::int`],
    ["an id that is text", sql`select ${"x"}::int`],
    ["a NUL in text", sql`select ${"a\0b"}::text`],
    ["a NUL in JSON", sql`select ${JSON.stringify("a\0b")}::jsonb`],
    ["a negative offset", sql`select 1 offset ${-5}`],
    ["a pattern that ends with its escape character", sql`select 'aab' like ${"%a\\"}`],
    ["deeply nested JSON", sql`select ${"[".repeat(100_000) + "]".repeat(100_000)}::jsonb`],
  ])("an error caused by %s gets 400 without the database's message", async (_, query) => {
    const error: unknown = await query.execute(database.db).catch((e) => e);
    expect(errorFromSql(error)).toMatchObject({ status: 400, message: expect.not.stringMatching(/sql|syntax|int/i) });
  });
});
