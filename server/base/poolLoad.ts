/** Use of a database's connections. */
export interface PoolLoad {
  /** Largest number of connections. */
  connections: number;
  /** Connections that run a query or a transaction. */
  used: number;
  /** Queries and transactions that wait for a connection. */
  waiting: number;
}
