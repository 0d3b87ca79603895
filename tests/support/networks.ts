import { type Graph, type OnnxNode, onnxModel, type Value } from "./onnxModel";

/** Networks with DEXTR's signature and predictable output, as ONNX files. */

export const INPUT: Value = { name: "input", shape: ["n", 5, "h", "w"] };
export const OUTPUT: Value = { name: "probability", shape: ["n", 1, "h", "w"] };

/** Treats bright pixels as the object. `input` and `output` are how the file describes them. */
export function brightness({ input = INPUT, output = OUTPUT } = {}): Buffer {
  return onnxModel({
    inputs: [input],
    outputs: [output],
    nodes: [...bright(input.name, "bright"), { op: "Identity", inputs: ["bright"], outputs: [output.name] }],
    constants: CONSTANTS,
  });
}

/**
 * Returns a network that maps the fifth plane, that of corrections, from -1..1 to 0..1: the object is where clicks add.
 */
export function corrections(): Buffer {
  const nodes: OnnxNode[] = [
    { op: "Slice", inputs: [INPUT.name, "four", "five", "one"], outputs: ["fifth"] },
    { op: "Mul", inputs: ["fifth", "half"], outputs: ["halved"] },
    { op: "Add", inputs: ["halved", "half"], outputs: [OUTPUT.name] },
  ];
  const places: Graph["constants"] = { four: { type: "int64", values: [4] }, five: { type: "int64", values: [5] } };
  return onnxModel({ inputs: [INPUT], outputs: [OUTPUT], nodes, constants: { ...CONSTANTS, ...places } });
}

/** Returns a network like `brightness`, but with outputs from -1 to 1. */
export function unbounded(): Buffer {
  const nodes = [{ op: "Slice", inputs: [INPUT.name, "zero", "one", "one"], outputs: [OUTPUT.name] }];
  return onnxModel({ inputs: [INPUT], outputs: [OUTPUT], nodes, constants: CONSTANTS });
}

/** Runs slowly on crops that are bright on average: `rounds` products of large matrices for a white one. */
export function slowOnWhite(rounds: number): Buffer {
  const body: Graph = {
    inputs: [
      { name: "i", type: "int64", shape: [] },
      { name: "go", type: "bool", shape: [] },
      { name: "x", shape: [SIDE, SIDE] },
    ],
    outputs: [
      { name: "goOn", type: "bool", shape: [] },
      { name: "y", shape: [SIDE, SIDE] },
    ],
    nodes: [
      { op: "Identity", inputs: ["go"], outputs: ["goOn"] },
      { op: "MatMul", inputs: ["x", "x"], outputs: ["y"] },
    ],
  };
  const nodes: OnnxNode[] = [
    ...bright(INPUT.name, "bright"),
    { op: "ReduceMean", inputs: ["bright"], outputs: ["mean"], attributes: { keepdims: 0 } },
    { op: "Sub", inputs: ["mean", "half"], outputs: ["more"] },
    { op: "Mul", inputs: ["more", "rounds"], outputs: ["wanted"] },
    { op: "Cast", inputs: ["wanted"], outputs: ["count"], attributes: { to: INT64 } },
    { op: "ConstantOfShape", inputs: ["sides"], outputs: ["matrix"] },
    { op: "Loop", inputs: ["count", "", "matrix"], outputs: ["worked"], attributes: { body } },
    { op: "ReduceMax", inputs: ["worked"], outputs: ["nothing"], attributes: { keepdims: 0 } },
    { op: "Add", inputs: ["bright", "nothing"], outputs: [OUTPUT.name] },
  ];
  const constants: Graph["constants"] = {
    ...CONSTANTS,
    rounds: { type: "float", values: [2 * rounds], scalar: true },
    sides: { type: "int64", values: [SIDE, SIDE] },
  };
  return onnxModel({ inputs: [INPUT], outputs: [OUTPUT], nodes, constants });
}

const SIDE = 512;
const INT64 = 7;

const CONSTANTS: NonNullable<Graph["constants"]> = {
  zero: { type: "int64", values: [0] },
  one: { type: "int64", values: [1] },
  half: { type: "float", values: [0.5], scalar: true },
};

/** Maps the first channel from -1..1 to 0..1. */
const bright = (input: string, output: string): OnnxNode[] => [
  { op: "Slice", inputs: [input, "zero", "one", "one"], outputs: ["first"] },
  { op: "Mul", inputs: ["first", "half"], outputs: ["halved"] },
  { op: "Add", inputs: ["halved", "half"], outputs: [output] },
];
