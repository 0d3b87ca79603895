import { AsyncLocalStorage } from "node:async_hooks";
import { TransactionBuilder } from "kysely";
import pg from "pg";

/** The transaction in whose call the code runs. */
interface Running {
  /** The connections of which the transaction holds one. */
  pool?: pg.Pool;
  isOpen: boolean;
}

/** Marks what is replaced already: this module runs before each test file, and files share their worker's packages. */
const REPLACED = Symbol.for("limn.refuseNestedQueries");

if (!Reflect.has(pg.Pool.prototype, REPLACED)) {
  Reflect.set(pg.Pool.prototype, REPLACED, true);
  refuseNestedQueries();
}

/**
 * Refuses a query on another connection of the same pool inside a transaction: on the embedded database, which has one
 * connection, it would wait for itself. So tests on a PostgreSQL server find what only the embedded database would
 * show.
 */
function refuseNestedQueries(): void {
  const running = new AsyncLocalStorage<Running>();

  const { execute } = TransactionBuilder.prototype;
  TransactionBuilder.prototype.execute = function <T>(callback: Parameters<typeof execute<T>>[0]) {
    const here: Running = { isOpen: false };
    return running.run(here, () =>
      execute.call(this, async (trx) => {
        here.isOpen = true;
        try {
          return await callback(trx);
        } finally {
          here.isOpen = false;
        }
      }),
    ) as Promise<T>;
  };

  const { connect } = pg.Pool.prototype;
  pg.Pool.prototype.connect = function (this: pg.Pool, ...args: never[]) {
    const here = running.getStore();
    if (here?.isOpen && here.pool === this) throw new Error("Inside a transaction, use only trx.");
    if (here) here.pool ??= this;
    return Reflect.apply(connect, this, args);
  } as typeof connect;
}
