import { type SqlBool, sql } from "kysely";
import { foldText } from "../../../shared/text/fold";

/** Condition on a column: it contains the text, whatever its case, accents and Unicode form. */
export const containsText = (column: string, text: string) =>
  sql<SqlBool>`fold_text(${sql.ref(column)}) like ${likePattern(text)}`;

/** Returns the pattern for folded text that contains `text`, in which `%`, `_` and `\` match literally. */
export const likePattern = (text: string): string => `%${foldText(text).replace(/[\\%_]/g, "\\$&")}%`;
