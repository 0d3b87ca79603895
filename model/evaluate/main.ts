import { evaluate } from "./evaluate";
import { withMirror } from "./mirror";
import { HELP, readOptions } from "./options";
import { type PackedObject, packsIn, readPack } from "./pack";
import { report } from "./report";
import { openNetwork } from "./session";

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2));
  if (!options) return console.log(HELP);
  const { data, model, sources, padding, scale } = options;
  const network = await openNetwork(model, options.threads);
  const packs = await packsIn(data, options.split);
  for (const name of packs.alone) console.error(`${name}.json is left out: there is no ${name}.bin beside it.`);
  const all = (await Promise.all(packs.names.map((name) => readPack(data, name)))).flat();
  const objects = chosenOf(all, sources, packs.names);
  const size = options.size ?? network.size;
  console.log(`Network ${model} (sha256 ${network.sha256.slice(0, 12)}…), packs ${packs.names.join(", ")}`);
  console.log(`Input ${size} × ${size}, padding ${padding} px, enlarged × ${scale}\n`);
  const session = options.mirror ? withMirror(network.session) : network.session;
  console.log(await (options.shapes ? evaluate : report)(objects, session, { ...options, size }));
}

/** Returns the objects of the given sources, or all if none are given. Throws if there are no such objects. */
function chosenOf(all: PackedObject[], sources: string[] | undefined, names: readonly string[]): PackedObject[] {
  if (all.length === 0) throw new Error(`There are no objects in ${names.join(", ")}.`);
  const chosen = all.filter(({ item }) => !sources || sources.includes(item.s));
  if (chosen.length > 0) return chosen;
  const known = [...new Set(all.map(({ item }) => item.s))].sort();
  throw new Error(`There are no objects of these sources; there are: ${known.join(", ")}.`);
}

await main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
