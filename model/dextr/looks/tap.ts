/**
 * A tap: an inner layer of the network as a further output. The shipped file stays as it is; the output is added to the
 * bytes when a model is opened for looking at objects.
 */

/**
 * Output of the encoder's tenth block, 64 channels at a 16th of the input's size: among the layers of version 0.8 it
 * tells categories apart best (docs/decisions/0143).
 */
export const TAP = "/network/encoder/blocks.9/Add_output_0";

/** Values of an inner layer: channels × height × width. */
export interface Planes {
  data: Float32Array;
  channels: number;
  height: number;
  width: number;
}

/** Fields of the ONNX format (onnx.proto): ModelProto.graph, GraphProto.output, ValueInfoProto.name and .type. */
const [GRAPH, OUTPUT, NAME, TYPE] = [7, 12, 1, 2];
/** TypeProto with TypeProto.Tensor.elem_type = FLOAT, and a free shape. */
const FLOAT_TENSOR = message(1, Uint8Array.of(8, 1));

/**
 * Returns an ONNX file with the layer as a second output; undefined if the network has no layer of this name. A message
 * that occurs twice in protobuf's wire format is merged, so a graph with only the output is appended.
 */
export function withTap(file: Uint8Array): Uint8Array | undefined {
  const name = Uint8Array.from(TAP, (letter) => letter.charCodeAt(0));
  if (!includes(file, name)) return undefined;
  const value = joined(message(NAME, name), message(TYPE, FLOAT_TENSOR));
  return joined(file, message(GRAPH, message(OUTPUT, value)));
}

function includes(file: Uint8Array, part: Uint8Array): boolean {
  for (let at = file.indexOf(part[0]!); at >= 0; at = file.indexOf(part[0]!, at + 1))
    if (part.every((byte, i) => file[at + i] === byte)) return true;
  return false;
}

/** Encodes a field that has a length. */
function message(field: number, content: Uint8Array): Uint8Array {
  return joined(varint((field << 3) | 2), varint(content.length), content);
}

function varint(value: number): Uint8Array {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 127; rest >>>= 7) bytes.push((rest & 127) | 128);
  return Uint8Array.from([...bytes, rest]);
}

function joined(...parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
