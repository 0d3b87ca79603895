import type { Migration } from "kysely";
import { sql } from "kysely";

/**
 * Shapes are kept as the JSON text that came (json), no longer taken apart into numbers (jsonb): writing, reading and
 * sending them costs a third, and they take less than half the room. Written without blanks, as JSON.stringify does. The
 * text of an RLE's counts stays as it is, since a blank in it would be its own.
 */
const compact = (json: string) => `replace(replace((${json})::text, ', ', ','), ': ', ':')`;
const counts = `case jsonb_typeof(shape -> 'counts')
  when 'string' then (shape -> 'counts')::text else ${compact("shape -> 'counts'")} end`;

export const shapesAsText: Migration = {
  async up(db) {
    await sql
      .raw(
        `alter table annotations alter column shape type json using (case
          when shape ? 'counts' then '{"size":' || ${compact("shape -> 'size'")} || ',"counts":' || ${counts} || '}'
          else ${compact("shape")} end)::json`,
      )
      .execute(db);
  },
};
