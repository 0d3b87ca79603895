import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { z } from "zod";
import { DEXTR } from "../../shared/constants";
import { squareSide } from "../dextr/manifest";

export const HELP = `Mean scores of the shipped network through the product's own recipe, with 95 % confidence intervals.

  npm run model:evaluate -- --data DIR   packs NAME.json + NAME.bin of the format dextr-pack-1

  --split NAME     only packs whose names begin with NAME (default: "test" if there are any, else all)
  --model FILE     another ONNX file with the same signature
  --size N         side of the network's square input, a multiple of 32 (default: from the manifest)
  --padding N      image pixels (default ${DEXTR.padding})
  --noise X        clicks moved by this share of the object's box (default 0.02)
  --scale X        enlarges photographs and masks by this factor
  --limit N        largest number of objects, selected evenly
  --source NAME    only objects of these sources, separated by commas
  --no-guide       does not move borders to where colours change
  --no-corrections leaves out the corrections: three runs an object in place of eight
  --mirror         takes the mean with the mirror image of each crop
  --shapes         compares with shapes made only from the clicks, and with other paddings, in place of the table
  --no-paddings    leaves out the other paddings
  --threads N      threads of onnxruntime (default 1)`;

const TEXTS = {
  data: { type: "string" },
  split: { type: "string" },
  model: { type: "string", default: resolve(import.meta.dirname, "../dextr.onnx") },
  size: { type: "string" },
  padding: { type: "string", default: String(DEXTR.padding) },
  noise: { type: "string", default: "0.02" },
  scale: { type: "string", default: "1" },
  limit: { type: "string" },
  source: { type: "string" },
  "no-corrections": { type: "boolean", default: false },
  mirror: { type: "boolean", default: false },
  shapes: { type: "boolean", default: false },
  "no-guide": { type: "boolean", default: false },
  "no-paddings": { type: "boolean", default: false },
  threads: { type: "string", default: "1" },
  help: { type: "boolean", default: false },
} as const;

/** Range of each number, as a schema and for error messages. */
const NUMBERS = {
  size: [squareSide, "a multiple of 32, 1024 at most"],
  padding: [z.number().min(0), "a number of image pixels"],
  noise: [z.number().min(0), "a number of 0 or more"],
  scale: [z.number().positive(), "a number above 0"],
  limit: [z.int().min(1), "a whole number of 1 or more"],
  threads: [z.int().min(0), "a whole number"],
} as const;

/** Parses the command line. Returns null if the help should be shown. Throws an Error for invalid options. */
export function readOptions(args: readonly string[]) {
  const { values } = parseArgs({ args: [...args], options: TEXTS });
  if (values.help || values.data === undefined) return null;
  const numberOf = (name: keyof typeof NUMBERS): number => {
    const [schema, wanted] = NUMBERS[name];
    const { success, data } = schema.safeParse(Number(values[name] || Number.NaN));
    if (!success) throw new Error(`--${name} needs ${wanted}.`);
    return data;
  };
  return {
    data: values.data,
    split: values.split,
    model: values.model,
    sources: values.source?.split(","),
    size: values.size === undefined ? null : numberOf("size"),
    padding: numberOf("padding"),
    noise: numberOf("noise"),
    scale: numberOf("scale"),
    limit: values.limit === undefined ? Number.POSITIVE_INFINITY : numberOf("limit"),
    threads: numberOf("threads"),
    corrections: !values["no-corrections"],
    mirror: values.mirror,
    shapes: values.shapes,
    guide: !values["no-guide"],
    paddings: !values["no-paddings"],
  };
}
