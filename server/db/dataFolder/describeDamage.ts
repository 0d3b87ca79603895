import { statfsSync } from "node:fs";
import { ConfigurationError, codeOf, isFull } from "../../base/errors";

/** Free bytes below which a failed start is blamed on a full disk: PostgreSQL's write-ahead log grows by 16 MB. */
const LITTLE_SPACE = 17_000_000;

/**
 * SQLSTATEs of an embedded database that cannot be used: its code crashed (57P02), files are missing or unreadable
 * (58…), pages or catalogues are corrupt (XX…).
 */
const DAMAGE = /^(57P02|58...|XX...)$/;

/**
 * Returns the error for the operator if the database in `dir` is damaged or its disk is full; returns other errors
 * unchanged.
 */
export async function describeDamage(error: unknown, dir: string, hint: () => Promise<string>): Promise<unknown> {
  const code = codeOf(error);
  const reason = error instanceof Error ? firstLine(error.message) : String(error);
  const free = freeBytes(dir);
  if (isFull(error) || (DAMAGE.test(code) && free !== undefined && free < LITTLE_SPACE))
    return new ConfigurationError(
      `The disk of ${dir} is full. Free some space, then start Limn again. Nothing is lost.`,
    );
  if (["EACCES", "EPERM", "EROFS"].includes(code))
    return new ConfigurationError(`The database in ${dir} cannot be written to (${code}).`);
  if (!DAMAGE.test(code)) return error;
  return new ConfigurationError(`The database in ${dir} is damaged (${reason}). ${await hint()}`);
}

/**
 * Returns the error for the operator if the database of a PostgreSQL server is damaged; returns other errors unchanged,
 * such as a crash (57P02), from which the server recovers by itself.
 */
export function describeServerDamage(error: unknown): unknown {
  if (!/^(58P01|XX...)$/.test(codeOf(error)) || !(error instanceof Error)) return error;
  return new ConfigurationError(
    `The database at DATABASE_URL is damaged (${firstLine(error.message)}). Restore a backup of it.`,
  );
}

function firstLine(text: string): string {
  return (text.split("\n", 1)[0] ?? "").replace(/\.$/, "");
}

/** Returns the free space of the disk; undefined if it is unknown. */
function freeBytes(dir: string): number | undefined {
  try {
    const { bavail, bsize } = statfsSync(dir);
    return bavail * bsize;
  } catch {
    return undefined;
  }
}
