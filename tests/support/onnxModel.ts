/**
 * Small networks for tests, written directly as ONNX files: only the parts of the format (onnx.proto, protobuf's wire
 * format) that they need.
 */
export interface OnnxNode {
  op: string;
  inputs: string[];
  outputs: string[];
  attributes?: Record<string, number | number[] | Graph>;
}

/** A free dimension has a name. */
export type Shape = readonly (number | string)[];
export interface Value {
  name: string;
  type?: ElementType;
  shape: Shape;
}
export interface Graph {
  inputs: Value[];
  outputs: Value[];
  nodes: OnnxNode[];
  /** One-dimensional, or zero-dimensional if `scalar`. */
  constants?: Record<string, { type: ElementType; values: number[]; scalar?: boolean }>;
}

const ELEMENT = { float: 1, int64: 7, bool: 9 } as const;
type ElementType = keyof typeof ELEMENT;

const IR_VERSION = 8;
const OPSET = 17;

export function onnxModel(graph: Graph): Buffer {
  const opset = bytesOf(field(2, OPSET));
  return bytesOf(field(1, IR_VERSION), field(7, graphBytes(graph)), field(8, opset));
}

function graphBytes({ inputs, outputs, nodes, constants = {} }: Graph): Buffer {
  return bytesOf(
    ...nodes.map((node) => field(1, nodeBytes(node))),
    field(2, "test"),
    ...Object.entries(constants).map(([name, { type, values, scalar }]) =>
      field(
        5,
        bytesOf(
          ...(scalar ? [] : [field(1, values.length)]),
          field(2, ELEMENT[type]),
          field(8, name),
          field(9, raw(type, values)),
        ),
      ),
    ),
    ...inputs.map((value) => field(11, valueBytes(value))),
    ...outputs.map((value) => field(12, valueBytes(value))),
  );
}

function nodeBytes({ op, inputs, outputs, attributes = {} }: OnnxNode): Buffer {
  return bytesOf(
    ...inputs.map((name) => field(1, name)),
    ...outputs.map((name) => field(2, name)),
    field(4, op),
    ...Object.entries(attributes).map(([name, value]) => field(5, attributeBytes(name, value))),
  );
}

function attributeBytes(name: string, value: number | number[] | Graph): Buffer {
  if (typeof value === "number") return bytesOf(field(1, name), field(3, value), field(20, 2));
  if (Array.isArray(value)) return bytesOf(field(1, name), ...value.map((each) => field(8, each)), field(20, 7));
  return bytesOf(field(1, name), field(6, graphBytes(value)), field(20, 5));
}

function valueBytes({ name, type = "float", shape }: Value): Buffer {
  const dimensions = shape.map((side) => field(1, bytesOf(typeof side === "number" ? field(1, side) : field(2, side))));
  const tensor = bytesOf(field(1, ELEMENT[type]), field(2, bytesOf(...dimensions)));
  return bytesOf(field(1, name), field(2, bytesOf(field(1, tensor))));
}

function raw(type: ElementType, values: number[]): Buffer {
  if (type === "float") return Buffer.from(Float32Array.from(values).buffer);
  if (type === "bool") return Buffer.from(values);
  return Buffer.from(BigInt64Array.from(values, BigInt).buffer);
}

/** Encodes a numbered field: a whole number, a text, or a message. */
function field(number: number, value: number | string | Buffer): Buffer {
  if (typeof value === "number") return bytesOf(varint(number << 3), varint(value));
  const content = Buffer.from(value);
  return bytesOf(varint((number << 3) | 2), varint(content.length), content);
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  for (; rest > 127n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128);
  return Buffer.from([...bytes, Number(rest)]);
}

const bytesOf = (...parts: Buffer[]): Buffer => Buffer.concat(parts);
