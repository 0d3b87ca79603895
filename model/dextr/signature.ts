import { PLANES, type Tensor } from "./base/session";

/** A network's tensor as reported by onnxruntime (`inputMetadata`, `outputMetadata`): free dimensions have names. */
export interface TensorReport {
  name: string;
  isTensor: boolean;
  type?: string;
  shape?: readonly (number | string)[];
}

/** Names of the network's input and output. A replacement must have the same ones. */
export const NAMES = { input: "input", output: "probability" } as const;

/** Numbers of channels of the input, with and without corrections, and of the output (probability). */
const [IN, OUT] = [[PLANES, PLANES - 1], [1]];

/**
 * Returns the reason, in a sentence, why a network cannot replace the shipped one, or null if it can: one input, one
 * output, both float32 with the names of the manifest, and batch, height and width free.
 */
export function signatureFault(
  inputs: readonly TensorReport[],
  outputs: readonly TensorReport[],
  { input, output }: { input: string; output: string },
): string | null {
  return fault("input", inputs, input, IN) ?? fault("output", outputs, output, OUT);
}

/**
 * Returns the dimensions of a network's input for a tensor, and its values: an older network has no input for
 * corrections.
 */
export function inputFor(
  inputs: readonly TensorReport[],
  { data, height, width }: Tensor,
): { data: Float32Array; dims: number[] } {
  const planes = Number(inputs[0]?.shape?.[1]);
  return { data: data.subarray(0, planes * height * width), dims: [1, planes, height, width] };
}

function fault(
  kind: string,
  reports: readonly TensorReport[],
  name: string,
  channels: readonly number[],
): string | null {
  const [report] = reports;
  if (!report || reports.length > 1) return `It has ${reports.length} ${kind}s in place of one.`;
  if (report.name !== name) return `Its ${kind} is called "${report.name}" in place of "${name}".`;
  if (!report.isTensor || report.type !== "float32") return `Its ${kind} is not a float32 tensor.`;
  const shape = report.shape ?? [];
  const [batch, second, height, width] = shape;
  if (shape.length === 4 && channels.includes(Number(second)) && [batch, height, width].every(isFree)) return null;
  return `Its ${kind} has the shape ${shape.map(String).join(" × ")} in place of n × ${channels[0]} × height × width.`;
}

function isFree(side: number | string | undefined): boolean {
  return typeof side === "string" || (side !== undefined && side < 0);
}
