/** A tensor of a network as onnxruntime reports it (`inputMetadata`, `outputMetadata`): free sides have names. */
export interface TensorReport {
  name: string;
  isTensor: boolean;
  type?: string;
  shape?: readonly (number | string)[];
}

/** Names of a network's input and output, also of a replacement for ours: no others are supported. */
export const NAMES = { input: "input", output: "probability" } as const;

/** Channels of the network's input and output: red, green, blue and the heat map; the probability. */
const [IN, OUT] = [4, 1];

/**
 * Returns the reason, in a sentence, why a network cannot replace DEXTR's, or null if it can: one input, one output,
 * both float32 with the names of the manifest, and batch, height and width free.
 */
export function signatureFault(
  inputs: readonly TensorReport[],
  outputs: readonly TensorReport[],
  { input, output }: { input: string; output: string },
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
