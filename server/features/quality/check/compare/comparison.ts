import type { Finding } from "../../../../../shared/quality/finding";

/** Gathers rows of a dataset, then compares all of them with each other. */
export interface Comparison<Row> {
  add(rows: readonly Row[]): void;
  find(): Finding[];
}
