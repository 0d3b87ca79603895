import { readFileSync, writeFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import type { Figure } from "./figures";

/** Files with the figures of the last runs, and the page written from them. */
const STORED = new URL("../../docs/performance.json", import.meta.url);
const PAGE = new URL("../../docs/performance.md", import.meta.url);

/** The result of one measurement, and its date. */
interface Measured {
  date: string;
  figures: Figure[];
}

/** Replaces the figures of the measurements that ran now, by name, and keeps the others. */
export function storeFigures(now: ReadonlyMap<string, Figure[]>): void {
  const stored: Record<string, Measured> = JSON.parse(readFileSync(STORED, "utf8"));
  const date = new Date().toISOString().slice(0, 10);
  for (const [name, figures] of now) stored[name] = { date, figures };
  writeFileSync(STORED, `${JSON.stringify(stored, null, 2)}\n`);
  writeFileSync(PAGE, pageOf(Object.values(stored)));
}

function pageOf(all: readonly Measured[]): string {
  const rows = all.flatMap(({ date, figures }) =>
    figures.map(
      ({ what, ours, peer, ratio, goal, met }) =>
        `| ${what} | ${ours} | ${peer} | ${ratio?.toFixed(2) ?? "-"} | ${goal} | ${met ? "yes" : "no"} | ${date} |`,
    ),
  );
  return `# Performance

Measured by \`npm run bench\`, last with Node ${process.versions.node} on ${cpus().length} cores (${cpus()[0]?.model.trim()}), ${Math.round(totalmem() / 2 ** 30)} GiB, everything on one
machine over loopback. Ours and the peer are measured in the same run: compare the ratio, because absolute figures depend on
the machine. Do not edit this page: the command writes it. With names (\`npm run bench -- dextr lists\`) it measures and updates
only those rows.

| what | ours | peer | ratio | goal | met | measured |
|---|---|---|---|---|---|---|
${rows.join("\n")}

The embedded database (PGlite) never calls fsync: what it has acknowledged survives a killed process, but not a
power cut. Limn therefore writes a backup on a timer and on a clean stop.
`;
}
