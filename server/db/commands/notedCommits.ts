import { AsyncLocalStorage } from "node:async_hooks";
import type { PostgresCursor, PostgresPool, PostgresPoolClient, PostgresQueryResult } from "kysely";
import { unavailable } from "../../base/errors";

/** A command that this process is doing, see the table `commands`. */
export interface HeldCommand {
  key: string;
  /** Names this try of this process, which has claimed it. */
  holder: string;
  /** It has changed something that stays. */
  isCommitted: boolean;
  /** Nothing that goes on behind it belongs to it any more. */
  isOver: boolean;
}

const held = new AsyncLocalStorage<HeldCommand>();

/**
 * Does a command's work. Its first transaction that writes, or its first statement outside of one, also notes in the
 * command's row that something was committed: both are stored or neither is, wherever the process dies. Where another
 * process has taken the command over, nothing is stored.
 */
export const asCommand = <T>(command: HeldCommand, work: () => Promise<T>): Promise<T> => held.run(command, work);

const WRITES = /\b(insert into|(?<!for (no key )?)update|delete from)\b/i;

/** The pool with commits that are noted in the row of the command they belong to. */
export function notingCommits(pool: PostgresPool): PostgresPool {
  return {
    connect: async () => {
      const client = await pool.connect();
      const transaction = { isOpen: false, hasWritten: false };
      return {
        query: ((query: string | PostgresCursor<unknown>, values: unknown[]) =>
          typeof query === "string"
            ? ask(client, transaction, query, values)
            : client.query(query as never)) as PostgresPoolClient["query"],
        release: () => client.release(),
      };
    },
    end: () => pool.end(),
  };
}

interface OpenTransaction {
  isOpen: boolean;
  hasWritten: boolean;
}

async function ask(
  client: PostgresPoolClient,
  transaction: OpenTransaction,
  text: string,
  values: unknown[],
): Promise<PostgresQueryResult<unknown>> {
  const command = held.getStore();
  if (!command || command.isOver || command.isCommitted) return client.query(text, values);
  const isBegin = /^(begin|start transaction)/i.test(text);
  const isEnd = /^(commit|rollback$)/i.test(text);
  if (isBegin || isEnd) {
    const isNoted = text === "commit" && transaction.hasWritten;
    if (isNoted) await note(client, command);
    const result = await client.query(text, values);
    if (isNoted) command.isCommitted = true;
    Object.assign(transaction, { isOpen: isBegin, hasWritten: false });
    return result;
  }
  const isWriting = WRITES.test(text);
  if (transaction.isOpen || !isWriting) {
    transaction.hasWritten ||= isWriting;
    return client.query(text, values);
  }
  await client.query("begin", []);
  try {
    const result = await client.query<unknown>(text, values);
    await note(client, command);
    await client.query("commit", []);
    command.isCommitted = true;
    return result;
  } catch (error) {
    await client.query("rollback", []).catch(() => undefined);
    throw error;
  }
}

async function note(client: PostgresPoolClient, { key, holder }: HeldCommand): Promise<void> {
  const { rows } = await client.query(
    "update commands set is_committed = true where key = $1 and holder = $2 returning 1",
    [key, holder],
  );
  if (rows.length === 0) throw unavailable("The server was too slow, and another one does this now.");
}
