import { z } from "zod";

/** Bounds of the square's side: what the network halves five times, and what a browser can still compute. */
const [SIZE_STEP, SIZE_MAX] = [32, 1024];

/** Side of the square that a network sees. */
export const squareSide = z.int().min(SIZE_STEP).max(SIZE_MAX).multipleOf(SIZE_STEP);

/** The manifest beside an ONNX file, `dextr.json`: identifies the file and says how to run it. */
export const manifest = z.object({
  /** For people. */
  version: z.string().min(1),
  /** Of the ONNX file, in hexadecimal. It is part of the file's address, so that caches never mix two. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  /** Length of the ONNX file. */
  bytes: z.int().min(1),
  /** Side of the square that the network was trained for. */
  size: squareSide,
  /** Name of the input: n × 4 × height × width. */
  input: z.string().min(1),
  /** Name of the output: n × 1 × height × width. */
  output: z.string().min(1),
});

export type Manifest = z.infer<typeof manifest>;

/** Returns the path of an ONNX file's manifest: NAME.json, for a file called NAME.onnx or NAME. */
export const manifestPathOf = (file: string): string => file.replace(/(\.onnx)?$/, ".json");

/** Of the content of such a file. Throws an Error that says in a few words why it is none. */
export function parseManifest(text: string): Manifest {
  const { data, error } = manifest.safeParse(parse(text));
  if (data) return data;
  throw new Error(error.issues.map(({ path, message }) => [...path, message].join(": ")).join("; "));
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error("it is no JSON");
  }
}
