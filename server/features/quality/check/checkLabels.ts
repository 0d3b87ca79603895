import { type Kysely, sql } from "kysely";
import type { Finding } from "../../../../shared/quality/finding";
import type { Schema } from "../../../db/schema";
import { MOST_COMPARED } from "../look/lookAtObjects";
import { readLooks } from "../look/lookRows";
import { compareInThread } from "./compareInThread";

/** Compares what DEXTR saw of a dataset's annotations with each other, and with their outlines. */
export async function checkLabels(db: Kysely<Schema>, datasetId: number, signal: AbortSignal): Promise<Finding[]> {
  const findings = await compareInThread("looks", readLooks(db, datasetId, MOST_COMPARED), signal);
  const names = await categoryNames(db, findings);
  return findings.map((finding) => {
    const name = names.get(Number(finding.details.likely));
    return name === undefined ? finding : { ...finding, details: { ...finding.details, likelyName: name } };
  });
}

async function categoryNames(db: Kysely<Schema>, findings: readonly Finding[]): Promise<Map<number, string>> {
  const ids = [...new Set(findings.flatMap(({ details }) => (details.likely === undefined ? [] : [details.likely])))];
  const { rows } = await sql<{ id: number; name: string }>`
    select id, name from categories where id = any(${ids}::integer[])`.execute(db);
  return new Map(rows.map(({ id, name }) => [id, name]));
}
