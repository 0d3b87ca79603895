/**
 * A backup is a gzip file of JSON lines: a header; every row of every table, parents before children; rows that were
 * written meanwhile once more, which replace the earlier line (`row` null: deleted); and a trailer, without which the file
 * is not whole. Together they are the database at one moment, that of the trailer. Rows are PostgreSQL's own JSON, so
 * nothing is rounded. Images are files and not in it.
 */
export type BackupLine =
  | BackupHeader
  | { table: string; row: object }
  | { change: string; key: Record<string, unknown>; row: object | null }
  | { end: { rows: number; moment: string; sequences: Record<string, number> } };

export interface BackupHeader {
  limn: "backup";
  schema: string;
  /** Minutes, see generations.ts; absent in older backups, like `made`. */
  age?: number;
  /** By the clock, in milliseconds since 1970. */
  made?: number;
}
