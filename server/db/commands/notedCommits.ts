import { AsyncLocalStorage } from "node:async_hooks";
import type { PostgresCursor, PostgresPool, PostgresPoolClient, PostgresQueryResult } from "kysely";
import { unavailable } from "../../base/errors";

/** A command that this process is executing, see the table `commands`. */
export interface HeldCommand {
  key: string;
  /** Identifies the attempt of this process that claimed the command. */
  holder: string;
  /** True once a change of the command was committed. */
  isCommitted: boolean;
  /** True once the command has ended: work that still runs no longer belongs to it. */
  isOver: boolean;
}

const held = new AsyncLocalStorage<HeldCommand>();

/**
 * Runs a command's work. Its first transaction that writes, or its first writing statement outside a transaction, also
 * notes in the command's row that something was committed: both are stored or neither, even if the process dies. If
 * another process has taken over the command, nothing is stored.
 */
export const asCommand = <T>(command: HeldCommand, work: () => Promise<T>): Promise<T> => held.run(command, work);

const WRITES = /\b(insert into|(?<!for (no key )?)update|delete from)\b/i;

/** Wraps a pool so that commits are noted in the row of the command they belong to. */
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
  if (rows.length === 0) throw unavailable("The server was too slow, and another one has taken over this request.");
}
