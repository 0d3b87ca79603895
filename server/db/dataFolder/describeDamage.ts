import { statfsSync } from "node:fs";
import { ConfigurationError, codeOf, isFull } from "../../base/errors";

/** Free space below which a database that does not start is taken to lack space, in bytes: PostgreSQL's log grows by 16 MB. */
const LITTLE_SPACE = 17_000_000;

/**
 * SQLSTATEs of an embedded database that cannot be used: its code broke down (57P02), files are missing or unreadable
 * (58…), pages or catalogues are broken (XX…).
 */
const DAMAGE = /^(57P02|58...|XX...)$/;

/** Returns what an operator is told when the database in `dir` is damaged or has no room; other errors stay what they are. */
export async function describeDamage(error: unknown, dir: string, hint: () => Promise<string>): Promise<unknown> {
  const code = codeOf(error);
  const reason = error instanceof Error ? firstLine(error.message) : String(error);
  const free = freeBytes(dir);
  if (isFull(error) || (DAMAGE.test(code) && free !== undefined && free < LITTLE_SPACE))
    return new ConfigurationError(
      `The disk of ${dir} is full. Make room on it, then start Limn again: nothing is lost.`,
    );
  if (["EACCES", "EPERM", "EROFS"].includes(code))
    return new ConfigurationError(`The database in ${dir} cannot be written to (${code}).`);
  if (!DAMAGE.test(code)) return error;
  return new ConfigurationError(`The database in ${dir} is damaged (${reason}). ${await hint()}`);
}

/** The same for a PostgreSQL server, which does the rest by itself: a crash (57P02) is no damage, and it recovers. */
export function describeServerDamage(error: unknown): unknown {
  if (!/^(58P01|XX...)$/.test(codeOf(error)) || !(error instanceof Error)) return error;
  return new ConfigurationError(
    `The database at DATABASE_URL is damaged (${firstLine(error.message)}). Restore a backup of it.`,
  );
}

function firstLine(text: string): string {
  return (text.split("\n", 1)[0] ?? "").replace(/\.$/, "");
}

/** Undefined where the system does not say. */
function freeBytes(dir: string): number | undefined {
  try {
    const { bavail, bsize } = statfsSync(dir);
    return bavail * bsize;
  } catch {
    return undefined;
  }
}
