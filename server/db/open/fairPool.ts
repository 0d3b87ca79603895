import type { PostgresPool, PostgresPoolClient } from "kysely";
import { FairLine } from "../../base/fairLine";
import type { PoolLoad } from "../../base/poolLoad";

interface Options {
  /** Number of the pool's connections. */
  places: number;
  /** Milliseconds that a caller waits for a connection. */
  patienceMs: number;
}

/**
 * Returns a pool that, while all connections are in use, gives the next one to the requester whose turn it is. pg's own
 * queue is in order of arrival, so two hundred simultaneous calls of one user would delay all other users.
 */
export function fairPool(pool: PostgresPool, { places, patienceMs }: Options): PostgresPool & { load(): PoolLoad } {
  const line = new FairLine<() => void>();
  let free = places;

  const pass = () => {
    const next = line.shift();
    if (next) next();
    else free++;
  };

  const turn = () =>
    new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => {
        line.remove(take);
        reject(new Error("timeout exceeded when trying to connect"));
      }, patienceMs);
      const take = () => {
        clearTimeout(timer);
        resolve();
      };
      line.add(take);
    });

  return {
    async connect(): Promise<PostgresPoolClient> {
      if (free > 0) free--;
      else await turn();
      const client = await pool.connect().catch((error) => {
        pass();
        throw error;
      });
      return {
        query: client.query.bind(client) as PostgresPoolClient["query"],
        release: () => {
          client.release();
          pass();
        },
      };
    },
    end: () => pool.end(),
    load: () => ({ connections: places, used: places - free, waiting: line.size }),
  };
}
