import type { Env } from "../base/env";
import { ConfigurationError } from "../base/errors";
import { log } from "../base/log";
import { type Dextr, makeDextr } from "./dextr";
import { CannotOpen } from "./failure";

/**
 * Returns DEXTR with the bundled model, which is loaded later, or with DEXTR_FILE, which is loaded and tested now.
 * Throws ConfigurationError with the reason if that file is not a suitable model. Without the package
 * onnxruntime-node the file cannot be tested and is not used.
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
    log.warn("DEXTR_FILE is not used: the package onnxruntime-node, which is needed to test it, is not installed.");
    return makeDextr();
  }
}
