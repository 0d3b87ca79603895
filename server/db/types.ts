import pg from "pg";

const INT8 = 20;

/** pg's parsers of values in PostgreSQL's text format, except that bigints, such as counts, become numbers. */
export const valueTypes = {
  getTypeParser: ((oid: number, format?: "text" | "binary") =>
    oid === INT8 ? Number : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
};
