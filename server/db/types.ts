import pg from "pg";

const INT8 = 20;

/** pg's parsers of PostgreSQL's text values, except that bigints and counts become numbers. */
export const valueTypes = {
  getTypeParser: ((oid: number, format?: "text" | "binary") =>
    oid === INT8 ? Number : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
};
