import { writeFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { type Bed, embeddedBed, postgresBed } from "./bed";
import { brush } from "./brush";
import { canvas } from "./canvas";
import { datasets } from "./datasets";
import { dextr } from "./dextr";
import { download } from "./download";
import type { Figure } from "./figures";
import { importExport } from "./importExport";
import { lists } from "./lists";
import { million } from "./million";
import { page } from "./page";
import { save } from "./save";
import { thumbnails } from "./thumbnails";
import { wand } from "./wand";

/**
 * `npm run bench` measures everything and writes docs/performance.md; `npm run bench -- save page` measures some and
 * prints them only.
 */
type Measurement = (bed: Bed) => Promise<Figure | Figure[]>;
const onBoth = { import: importExport, save, lists, datasets, million };
const onPostgres: Record<string, Measurement> = { ...onBoth, page, thumbnails, download, canvas };
const onEmbedded: Record<string, Measurement> = onBoth;
const alone: Record<string, () => Promise<Figure[]>> = { wand, brush, dextr };

const chosen = process.argv.slice(2).filter((word) => !word.startsWith("-"));
const figures = [
  ...(await measure(postgresBed, onPostgres)),
  ...(await measure(embeddedBed, onEmbedded)),
  ...(await measureAlone()),
];
if (chosen.length === 0) writeFileSync("docs/performance.md", report(figures));

/** What needs no server. */
async function measureAlone(): Promise<Figure[]> {
  const found: Figure[] = [];
  for (const [name, measurement] of Object.entries(alone)) {
    if (chosen.length === 0 || chosen.includes(name)) found.push(...(await measurement()));
  }
  for (const figure of found) console.log(line(figure));
  return found;
}

async function measure(makeBed: () => Promise<Bed>, measurements: Record<string, Measurement>): Promise<Figure[]> {
  const wanted = Object.entries(measurements).filter(([name]) => chosen.length === 0 || chosen.includes(name));
  const found: Figure[] = [];
  for (const [, measurement] of wanted) {
    const bed = await makeBed();
    try {
      for (const figure of [await measurement(bed)].flat()) {
        found.push(figure);
        console.log(line(figure));
      }
    } finally {
      await bed.remove();
    }
  }
  return found;
}

function line({ what, ours, peer, ratio, goal, met }: Figure): string {
  return `${met ? "ok    " : "BELOW "} ${what}\n         ${ours} | ${peer} | ${ratio?.toFixed(2) ?? "-"} (goal: ${goal})`;
}

function report(all: Figure[]): string {
  const rows = all.map(
    ({ what, ours, peer, ratio, goal, met }) =>
      `| ${what} | ${ours} | ${peer} | ${ratio?.toFixed(2) ?? "-"} | ${goal} | ${met ? "yes" : "no"} |`,
  );
  return `# Performance

Measured by \`npm run bench\` on ${new Date().toISOString().slice(0, 10)}: Node ${process.versions.node}, ${cpus().length} cores
(${cpus()[0]?.model.trim()}), ${Math.round(totalmem() / 2 ** 30)} GiB, everything on one machine over loopback. Ours and the peer
are measured in the same run; look at the ratio, the absolute figures change with the machine. This page is written by the
command; do not edit it.

| what | ours | peer | ratio | goal | met |
|---|---|---|---|---|---|
${rows.join("\n")}

The embedded database (PGlite) never calls fsync: what it has acknowledged survives a killed process, not a power cut. Limn
writes a backup on a timer and on a clean stop for that.
`;
}
