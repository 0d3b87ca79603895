/**
 * One line of a backup. A backup is a gzip file of JSON lines: a header; every row of every table, parents before
 * children; the rows that changed during the backup, which replace their earlier lines (`row` null: deleted); and a
 * trailer, without which the file is incomplete. Together they show the database at the moment of the trailer. Rows are
 * JSON written by PostgreSQL, so no number is rounded. Image files are not included.
 */
export type BackupLine =
  | BackupHeader
  | { table: string; row: object }
  | { change: string; key: Record<string, unknown>; row: object | null }
  | { end: { rows: number; moment: string; sequences: Record<string, number> } };

export interface BackupHeader {
  limn: "backup";
  schema: string;
  /** Age in minutes, see generations.ts; absent in older backups, like `made`. */
  age?: number;
  /** Time of the backup by the system clock, in milliseconds since 1970. */
  made?: number;
}
