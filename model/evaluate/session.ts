import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { SIZE } from "../dextr/base/recipe";
import type { DextrSession } from "../dextr/base/session";
import { type Manifest, manifestPathOf, parseManifest } from "../dextr/manifest";
import { inputFor, NAMES, signatureFault } from "../dextr/signature";

/** An ONNX file in onnxruntime-node. */
export interface Network {
  session: DextrSession;
  /** Side of the square input that the network was trained for. */
  size: number;
  /** Hash of the file, in hexadecimal. */
  sha256: string;
}

/**
 * Opens an ONNX file, with `NAME.json` next to it as its manifest if there is one. Throws an Error if either is
 * invalid.
 */
export async function openNetwork(file: string, threads: number): Promise<Network> {
  const bytes = await readFile(file).catch(() => {
    throw new Error(`There is no file ${file}.`);
  });
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  const known = await readManifest(manifestPathOf(file));
  if (known && known.sha256 !== sha256) throw new Error(`${file} is not the file that its manifest describes.`);
  const { InferenceSession, Tensor } = await import("onnxruntime-node").catch(() => {
    throw new Error("The evaluation needs the package onnxruntime-node.");
  });
  const inference = await InferenceSession.create(file, { intraOpNumThreads: threads, interOpNumThreads: 1 });
  const names = known ?? NAMES;
  const fault = signatureFault(inference.inputMetadata, inference.outputMetadata, names);
  if (fault) throw new Error(`${file} is not a DEXTR network. ${fault}`);
  return {
    size: known?.size ?? SIZE,
    sha256,
    session: {
      async run(tensor) {
        const { data, dims } = inputFor(inference.inputMetadata, tensor);
        const input = new Tensor("float32", data, dims);
        const outputs = await inference.run({ [names.input]: input });
        return (await outputs[names.output]!.getData()) as Float32Array;
      },
    },
  };
}

async function readManifest(file: string): Promise<Manifest | null> {
  const text = await readFile(file, "utf8").catch(() => null);
  try {
    return text === null ? null : parseManifest(text);
  } catch (error) {
    throw new Error(`${file} is not a manifest (${error instanceof Error ? error.message : error}).`);
  }
}
