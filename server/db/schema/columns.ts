import type { ColumnType } from "kysely";

export type Time = ColumnType<Date, Date | string, Date | string>;
export type MadeTime = ColumnType<Date, Date | string | undefined, never>;
export type JsonColumn<T> = ColumnType<T, string | undefined, string>;
/** A column that the database fills by itself. */
export type FilledColumn = ColumnType<string, never, never>;
export type NullableJson<T> = ColumnType<T | null, string | null | undefined, string | null>;
export type Deletable = {
  deleted_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  deleted_by: Nullable<number>;
};
export type Nullable<T> = ColumnType<T | null, T | null | undefined, T | null>;
