import pg from "pg";

const INT8 = 20;

/** Readers of PostgreSQL's text values, as pg has them, except that bigints and counts are numbers. */
export const valueTypes = {
  getTypeParser: ((oid: number, format?: "text" | "binary") =>
    oid === INT8 ? Number : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
};
