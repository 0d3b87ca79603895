import { arrivals } from "./arrivals";
import { type Bed, embeddedBed, postgresBed } from "./bed";
import { boxes } from "./boxes";
import { brush } from "./brush";
import { bucket } from "./bucket";
import { canvas } from "./canvas";
import { cluster } from "./cluster";
import { consensus } from "./consensus";
import { datasets } from "./datasets";
import { dextr } from "./dextr";
import { download } from "./download";
import { drawnFaults, faults } from "./faults/faults";
import type { Figure } from "./figures";
import { floods } from "./floods";
import { history } from "./history";
import { importExport } from "./importExport";
import { killedTasks } from "./killedTasks";
import { lists } from "./lists";
import { load } from "./load";
import { many } from "./many";
import { meanwhile } from "./meanwhile";
import { million } from "./million";
import { offline } from "./offline";
import { offlineDay } from "./offlineDay";
import { offlineList } from "./offlineList";
import { page } from "./page";
import { quality } from "./quality";
import { queue } from "./queue";
import { save } from "./save";
import { scene } from "./scene";
import { stalls } from "./stalls";
import { storeFigures } from "./storedFigures";
import { thumbnails } from "./thumbnails";
import { uploads } from "./uploads";
import { wand } from "./wand";
import { work } from "./work";

/**
 * `npm run bench` measures everything, `npm run bench -- save page` selected measurements; `many` selects all of its
 * sizes, and those that take many minutes only run by name. Updates the rows of these measurements in
 * docs/performance.md. If a measurement fails, only its own figures are missing.
 */
type Measurement = (bed: Bed) => Promise<Figure | Figure[]>;
const manySizes = { many300: many(300), many5000: many(5000), many50000: many(50_000) };
const onBoth = {
  import: importExport,
  save,
  stalls,
  uploads,
  scene,
  lists,
  datasets,
  million,
  queue,
  arrivals,
  floods,
  history,
  ...manySizes,
};
const onPostgres: Record<string, Measurement> = { ...onBoth, page, thumbnails, download, canvas, offline, offlineList };
const onEmbedded: Record<string, Measurement> = { ...onBoth, meanwhile, offlineDay, work };
const alone: Record<string, () => Promise<Figure[]>> = { wand, brush, dextr };
/** Measurements that start their own servers, and run only by name. */
const long: Record<string, () => Promise<Figure[]>> = {
  cluster,
  killedTasks,
  bucket,
  boxes,
  load,
  quality,
  faults,
  drawnFaults,
  consensus: async () => {
    const bed = await postgresBed();
    try {
      return await consensus(bed);
    } finally {
      await bed.remove();
    }
  },
};

/** Other names of measurements. */
const OTHER_NAMES: Record<string, string> = { doctor: "quality" };

const chosen = process.argv
  .slice(2)
  .filter((word) => !word.startsWith("-"))
  .map((word) => OTHER_NAMES[word] ?? word);
const isChosen = (name: string): boolean =>
  chosen.length === 0 || chosen.includes(name) || (name in manySizes && chosen.includes("many"));
const found = new Map<string, Figure[]>();

await measure("postgres", postgresBed, onPostgres);
await measure("embedded", embeddedBed, onEmbedded);
// Measurements that need no server.
for (const [name, measurement] of Object.entries(alone)) if (isChosen(name)) note(name, await measurement());
for (const [name, measurement] of Object.entries(long)) if (chosen.includes(name)) note(name, await measurement());
storeFigures(found);

async function measure(
  database: string,
  makeBed: () => Promise<Bed>,
  measurements: Record<string, Measurement>,
): Promise<void> {
  for (const [name, measurement] of Object.entries(measurements)) {
    if (!isChosen(name)) continue;
    const bed = await makeBed();
    try {
      note(`${name} ${database}`, [await measurement(bed)].flat());
    } catch (error) {
      console.error(`FAILED ${name} ${database}`, error);
      process.exitCode = 1;
    } finally {
      await bed.remove();
    }
  }
}

function note(name: string, figures: Figure[]): void {
  found.set(name, figures);
  for (const figure of figures) console.log(line(figure));
}

function line({ what, ours, peer, ratio, goal, met }: Figure): string {
  return `${met ? "ok    " : "BELOW "} ${what}\n         ${ours} | ${peer} | ${ratio?.toFixed(2) ?? "-"} (goal: ${goal})`;
}
