import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { DEXTR } from "../../shared/constants";
import { evaluate } from "./evaluate";
import { packsIn, readPack } from "./pack";
import { openNetwork } from "./session";

const HELP = `Mean intersection over union of the shipped network, through the product's own recipe.

  npm run model:evaluate -- --data DIR   packs NAME.json + NAME.bin of the format dextr-pack-1

  --split NAME     only packs whose names begin so (default: "test" where there are such, else all)
  --model FILE     another ONNX of the same signature
  --size N         side of the square that the network sees, a multiple of 32 (default: the manifest's)
  --padding N      image pixels (default ${DEXTR.padding})
  --noise X        clicks moved by this share of the object's box (default 0.02)
  --scale X        photographs and masks enlarged so many times
  --limit N        at most so many objects, evenly taken
  --source NAME    only objects of these sources, with commas between
  --no-guide       without drawing borders to where colours change
  --no-paddings    without the table of other paddings
  --threads N      of onnxruntime (default 1)`;

const { values } = parseArgs({
  options: {
    data: { type: "string" },
    split: { type: "string" },
    model: { type: "string", default: resolve(import.meta.dirname, "../dextr.onnx") },
    size: { type: "string" },
    padding: { type: "string", default: String(DEXTR.padding) },
    noise: { type: "string", default: "0.02" },
    scale: { type: "string", default: "1" },
    limit: { type: "string", default: "Infinity" },
    source: { type: "string" },
    "no-guide": { type: "boolean", default: false },
    "no-paddings": { type: "boolean", default: false },
    threads: { type: "string", default: "1" },
    help: { type: "boolean", default: false },
  },
});

async function main(): Promise<void> {
  if (values.help || values.data === undefined) return console.log(HELP);
  const network = await openNetwork(values.model, numberOf("threads"));
  const names = await packsIn(values.data);
  const split = values.split ?? (names.some((name) => name.startsWith("test")) ? "test" : "");
  const chosen = names.filter((name) => name.startsWith(split));
  if (chosen.length === 0) throw new Error(`There is no pack "${split}…" in ${values.data}.`);
  const sources = values.source?.split(",");
  const objects = (await Promise.all(chosen.map((name) => readPack(values.data!, name))))
    .flat()
    .filter(({ item }) => !sources || sources.includes(item.s));
  const options = {
    size: values.size === undefined ? network.size : numberOf("size"),
    padding: numberOf("padding"),
    noise: numberOf("noise"),
    scale: numberOf("scale"),
    limit: numberOf("limit"),
    guide: !values["no-guide"],
    paddings: !values["no-paddings"],
  };
  console.log(`Network ${values.model} (sha256 ${network.sha256.slice(0, 12)}…), packs ${chosen.join(", ")}`);
  console.log(`Input ${options.size} × ${options.size}, padding ${options.padding} px, enlarged × ${options.scale}\n`);
  console.log(await evaluate(objects, network.session, options));
}

function numberOf(name: "size" | "padding" | "noise" | "scale" | "limit" | "threads"): number {
  const value = Number(values[name]);
  if (!(value >= 0)) throw new Error(`--${name} needs a number.`);
  return value;
}

await main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
