import { randomBytes, randomUUID } from "node:crypto";
import { hash, verify } from "@node-rs/argon2";
import { Turns } from "./hashTurns";

/** Argon2id with 19 MiB and 2 passes (the OWASP cheat sheet's first choice), two at a time. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

export const turns = new Turns({ atOnce: 2, mostWaiting: 1_000, mostInLane: 200 });

/** `lane`: on whose behalf, so that somebody who makes many accounts holds up nobody else. */
export const hashPassword = (password: string, lane = ""): Promise<string> =>
  turns.run(lane, randomUUID(), () => hash(password, COST));

/** Returns true if the password is the stored one. It takes as long where nothing is stored. Inside a turn. */
export async function isPassword(stored: string | null | undefined, password: string): Promise<boolean> {
  dummy ??= hash(randomBytes(16).toString("hex"), COST);
  const nobodys = await dummy;
  const isRight = await verify(stored ?? nobodys, password);
  return isRight && stored != null;
}
let dummy: Promise<string> | undefined;
