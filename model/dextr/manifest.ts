import { z } from "zod";

/** Step and maximum of the square's side: the network halves it five times, and browsers must be able to compute it. */
const [SIZE_STEP, SIZE_MAX] = [32, 1024];

/** Side of a network's square input. */
export const squareSide = z.int().min(SIZE_STEP).max(SIZE_MAX).multipleOf(SIZE_STEP);

/** The manifest next to an ONNX file, `dextr.json`: identifies the file and describes how to run it. */
export const manifest = z.object({
  /** Shown to users. */
  version: z.string().min(1),
  /**
   * Hash of the ONNX file, in hexadecimal. It is part of the file's address, so that caches never confuse two files.
   */
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  /** Length of the ONNX file in bytes. */
  bytes: z.int().min(1),
  /** Side of the square that the network was trained for. */
  size: squareSide,
  /** Name of the input: n × 5 × height × width. */
  input: z.string().min(1),
  /** Name of the output: n × 1 × height × width. */
  output: z.string().min(1),
});

export type Manifest = z.infer<typeof manifest>;

/** Returns the path of an ONNX file's manifest: NAME.json, for a file called NAME.onnx or NAME. */
export const manifestPathOf = (file: string): string => file.replace(/(\.onnx)?$/, ".json");

/** Parses the content of a manifest. Throws an Error with a short reason if it is invalid. */
export function parseManifest(text: string): Manifest {
  const { data, error } = manifest.safeParse(parse(text));
  if (data) return data;
  throw new Error(error.issues.map(({ path, message }) => [...path, message].join(": ")).join("; "));
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error("it is not JSON");
  }
}
