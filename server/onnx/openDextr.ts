import type { Env } from "../base/env";
import { ConfigurationError } from "../base/errors";
import { log } from "../base/log";
import { type Dextr, makeDextr } from "./dextr";
import { CannotOpen } from "./failure";

/**
 * DEXTR with the shipped network, of which nothing is loaded yet; or with DEXTR_FILE, which is loaded and tried out.
 * Throws ConfigurationError with the reason where that file is no such network. Where the package onnxruntime-node is
 * not installed nobody can tell, and the file is not used.
 */
export async function openDextr({ DEXTR_FILE }: Pick<Env, "DEXTR_FILE">): Promise<Dextr> {
  if (!DEXTR_FILE) return makeDextr();
  const dextr = makeDextr({ file: DEXTR_FILE });
  try {
    await dextr.tryOut();
    return dextr;
  } catch (error) {
    await dextr.close();
    if (!(error instanceof CannotOpen && error.isAbsent))
      throw new ConfigurationError(`DEXTR_FILE cannot be used. ${error instanceof Error ? error.message : error}`);
    log.warn("DEXTR_FILE is not used: the package onnxruntime-node, which would try it out, is not installed.");
    return makeDextr();
  }
}
