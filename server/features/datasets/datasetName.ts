import type { Kysely } from "kysely";
import { conflict } from "../../base/errors";
import { isConflictOn, type Obstacle, obstacleTo, type WantedName } from "../../db/rows/datasetNames";
import type { Schema } from "../../db/schema";

const OWN: Record<Obstacle, string> = {
  live: "You already have a dataset with this name. Choose another name.",
  deleted: "Dataset already exists. Check the undo tab to fully delete the dataset.",
};
const OWNERS: Record<Obstacle, string> = {
  live: "The owner of this dataset already has one with this name. Choose another name.",
  deleted: "The owner of this dataset has one with this name in the trash. Choose another name.",
};

/**
 * Runs `work`, which gives a dataset a name. Throws 409 if another dataset of the same owner has the name, ignoring
 * case, even in the trash; also if another request takes the name meanwhile. Names of other owners are no obstacle.
 */
export async function withFreeName<T>(
  db: Kysely<Schema>,
  userId: number,
  wanted: WantedName,
  work: () => Promise<T>,
): Promise<T> {
  const texts = wanted.ownerId === userId ? OWN : OWNERS;
  const found = await obstacleTo(db, wanted);
  if (found) throw nameTaken(texts[found]);
  try {
    return await work();
  } catch (error) {
    throw isConflictOn(error, "datasets_name") ? nameTaken(texts[(await obstacleTo(db, wanted)) ?? "live"]) : error;
  }
}

const nameTaken = (message: string) => conflict(message, { name: message });
