import { z } from "zod";

/** What stands beside an ONNX file, `dextr.json`: which file it is, and how it is to be run. */
export const manifest = z.object({
  /** For people. */
  version: z.string().min(1),
  /** Of the ONNX file, in hexadecimal. It is part of the file's address, so that caches never mix two. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  /** Length of the ONNX file. */
  bytes: z.int().min(1),
  /** Side of the square that the network was trained for. */
  size: z.int().min(32).multipleOf(32),
  /** Name of the input: n × 4 × height × width. */
  input: z.string().min(1),
  /** Name of the output: n × 1 × height × width. */
  output: z.string().min(1),
});
export type Manifest = z.infer<typeof manifest>;

/** A tensor of a network as onnxruntime reports it (`inputMetadata`, `outputMetadata`): free sides have names. */
export interface TensorReport {
  name: string;
  isTensor: boolean;
  type?: string;
  shape?: readonly (number | string)[];
}

/** Channels of the network's input and output: red, green, blue and the heat map; the probability. */
const [IN, OUT] = [4, 1];

/**
 * Why a network cannot take the place of DEXTR's, in a sentence for people, or null where it can: one input, one output,
 * both float32 with the names of the manifest, and batch, height and width free.
 */
export function signatureFault(
  inputs: readonly TensorReport[],
  outputs: readonly TensorReport[],
  { input, output }: Pick<Manifest, "input" | "output">,
): string | null {
  return fault("input", inputs, input, IN) ?? fault("output", outputs, output, OUT);
}

function fault(kind: string, reports: readonly TensorReport[], name: string, channels: number): string | null {
  const [report] = reports;
  if (!report || reports.length > 1) return `It has ${reports.length} ${kind}s in place of one.`;
  if (report.name !== name) return `Its ${kind} is called "${report.name}" in place of "${name}".`;
  if (!report.isTensor || report.type !== "float32") return `Its ${kind} is no tensor of float32.`;
  const shape = report.shape ?? [];
  const [batch, second, height, width] = shape;
  if (shape.length === 4 && second === channels && [batch, height, width].every(isFree)) return null;
  return `Its ${kind} has the shape ${shape.map(String).join(" × ")} in place of n × ${channels} × height × width.`;
}

function isFree(side: number | string | undefined): boolean {
  return typeof side === "string" || (side !== undefined && side < 0);
}
