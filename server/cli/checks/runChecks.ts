import type { Check, Patient } from "./check";
import { counts } from "./counts";
import { imageFiles } from "./imageFiles";
import { readTables } from "./readTables";
import { references } from "./references";
import { transfers } from "./transfers";

const CHECKS: Record<string, Check> = {
  References: references,
  Counts: counts,
  "Image files": imageFiles,
  Transfers: transfers,
};
/** Maximum number of problems printed per check. */
const PRINTED = 100;

/** Compares the database with the files, and prints each problem. Returns the number of problems. */
export async function runChecks(patient: Patient): Promise<number> {
  await readTables(patient.db);
  let problems = 0;
  for (const [name, check] of Object.entries(CHECKS)) problems += await examine(name, check(patient));
  return problems;
}

async function examine(name: string, findings: AsyncGenerator<string>): Promise<number> {
  let count = 0;
  for await (const finding of findings) if (++count <= PRINTED) console.log(`  ${finding}`);
  if (count > PRINTED) console.log(`  and ${count - PRINTED} more`);
  console.log(`${name}: ${count === 0 ? "no problems" : `${count} problem(s)`}`);
  return count;
}
