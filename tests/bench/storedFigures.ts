import { readFileSync, writeFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import type { Figure } from "./figures";

/** Files with the figures of the last runs, and the page written from them. */
const KEPT = new URL("../../docs/performance.json", import.meta.url);
const PAGE = new URL("../../docs/performance.md", import.meta.url);

/** The result of one measurement, and its date. */
interface Measured {
  date: string;
  figures: Figure[];
}

/** Replaces the figures of the measurements that ran now, by name, and keeps the others. */
export function storeFigures(now: ReadonlyMap<string, Figure[]>): void {
  const kept: Record<string, Measured> = JSON.parse(readFileSync(KEPT, "utf8"));
  const date = new Date().toISOString().slice(0, 10);
  for (const [name, figures] of now) kept[name] = { date, figures };
  writeFileSync(KEPT, `${JSON.stringify(kept, null, 2)}\n`);
  writeFileSync(PAGE, pageOf(Object.values(kept)));
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
machine over loopback. Ours and the peer are measured in the same run; look at the ratio, the absolute figures change with the
machine. This page is written by the command, which with names (\`npm run bench -- dextr lists\`) measures and renews
only those rows; do not edit it.

| what | ours | peer | ratio | goal | met | measured |
|---|---|---|---|---|---|---|
${rows.join("\n")}

The embedded database (PGlite) never calls fsync: what it has acknowledged survives a killed process, not a power cut. Limn
writes a backup on a timer and on a clean stop for that.
`;
}
