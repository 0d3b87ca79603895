import { randomBytes, randomUUID } from "node:crypto";
import { hash, verify } from "@node-rs/argon2";
import { Turns } from "./hashTurns";
import { isOfWerkzeug, isWerkzeugPassword, storedFromWerkzeug } from "./werkzeug";

/** Argon2id with 19 MiB and 2 passes, the first choice of the OWASP cheat sheet. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

export const turns = new Turns({ atOnce: 2, maxWaiting: 1_000, maxInLane: 200 });

/** Hashes a password. `lane`: the requester, so that a user who creates many accounts does not delay other users. */
export const hashPassword = (password: string, lane = ""): Promise<string> =>
  turns.run({ lane, serialKey: randomUUID() }, () => hash(password, COST));

/** Hashes a password like hashPassword, for work that already has a turn. */
export const hashInTurn = (password: string): Promise<string> => hash(password, COST);

/** Returns the text to store for a hash of COCO Annotator; undefined if its password cannot be carried over. */
export const storedFromOriginal = (given: string): Promise<string | undefined> => storedFromWerkzeug(given, COST);

/**
 * Returns true if the password matches the stored hash. Takes equally long without a stored hash, so that its duration
 * does not reveal which accounts exist. Call it inside a turn.
 */
export async function isPassword(stored: string | null | undefined, password: string): Promise<boolean> {
  if (isOfWerkzeug(stored)) return isWerkzeugPassword(stored, password);
  dummy ??= hash(randomBytes(16).toString("hex"), COST);
  const dummyHash = await dummy;
  const isRight = await verify(stored ?? dummyHash, password);
  return isRight && stored != null;
}
let dummy: Promise<string> | undefined;
