import { readFileSync } from "node:fs";
import { basename } from "node:path";
import sharp from "sharp";
import type { ShownFinding } from "../../../shared/api/datasets/quality";
import type { FindingKind } from "../../../shared/quality/finding";
import { type CocoDocument, drawPhotographs, loadPhotographs, type Photographs } from "../../support/photographs";
import { newFolder } from "../../support/runFolder";
import { findSamples } from "../../support/samples";
import { embeddedBed } from "../bed";
import type { Client } from "../client";
import type { Figure } from "../figures";
import { type Copy, FAULTS, type Fault, KINDS_OF_FAULT, keyOf, OF_EACH, plantFaults } from "./plantFaults";

/** `npm run bench -- faults seeds=5` plants more often. */
const SEEDS = Number(
  process.argv
    .slice(2)
    .find((word) => word.startsWith("seeds="))
    ?.slice(6) ?? 3,
);
const GOAL = 36;
const PAGE = 100;

/** Plants 40 faults in photographs with COCO annotations, several times, and counts what the quality check finds. */
export async function faults(): Promise<Figure[]> {
  const samples = findSamples();
  return samples ? measured(await loadPhotographs(newFolder("photographs")), "photographs") : [];
}

/** The same with drawn scenes, which need no photographs. */
export const drawnFaults = async (): Promise<Figure[]> =>
  measured(await drawPhotographs(newFolder("scenes")), "drawn scenes");

async function measured(photographs: Photographs, name: string): Promise<Figure[]> {
  const bed = await embeddedBed();
  try {
    return await measure(bed.client, photographs, name);
  } finally {
    await bed.remove();
  }
}

async function measure(client: Client, photographs: Photographs, name: string): Promise<Figure[]> {
  const { annotations, images } = photographs;
  const untouched = await checked(client, name, photographs, photographs.document, []);
  const alarms = subjectsOf(untouched);
  const share = alarms.size / (annotations + images);
  const counts = new Map<Fault, number[]>(FAULTS.map((fault) => [fault, []]));
  const totals: number[] = [];
  const others: number[] = [];
  for (let seed = 1; seed <= SEEDS; seed++) {
    const { document, planted, copies } = plantFaults(photographs.document, seed);
    const findings = await checked(client, `${name} ${seed}`, photographs, document, copies);
    const found = planted.filter(({ fault, key }) => isFound(findings, fault, key));
    for (const [fault, list] of counts) list.push(found.filter((each) => each.fault === fault).length);
    totals.push(found.length);
    const keys = new Set(planted.map(({ key }) => key));
    others.push([...subjectsOf(findings)].filter((key) => !keys.has(key)).length);
  }
  const byFault = [...counts].map(([fault, list]) => `${fault} ${mean(list).toFixed(1)}`).join(", ");
  return [
    {
      what: `Quality check of ${images} ${name} with ${annotations} annotations and ${OF_EACH * FAULTS.length} planted faults, ${OF_EACH} of each sort, planted ${SEEDS} times`,
      ours: `${mean(totals).toFixed(1)} found, at least ${Math.min(...totals)} (${byFault}); ${mean(others).toFixed(1)} other alarms`,
      peer: "-",
      ratio: null,
      goal: `at least ${GOAL} found`,
      met: mean(totals) >= GOAL,
    },
    {
      what: `Quality check of the same ${name}, untouched: images and annotations with an alarm`,
      ours: `${alarms.size} of ${annotations + images}, ${(100 * share).toFixed(1)} % (${kindsOf(untouched) || "none"})`,
      peer: "-",
      ratio: null,
      goal: "at most 10 %",
      met: share <= 0.1,
    },
  ];
}

/** Imports photographs and annotations into a new dataset, checks it, and returns all findings. */
async function checked(
  client: Client,
  name: string,
  photographs: Photographs,
  document: CocoDocument,
  copies: readonly Copy[],
): Promise<ShownFinding[]> {
  const { id } = await client.send<{ id: number }>("POST", "dataset/", { name });
  const files = new Map(photographs.files.map((file) => [basename(file), file]));
  for (const [fileName, file] of files) await upload(client, id, "train", fileName, readFileSync(file));
  for (const copy of copies) await upload(client, id, "val", copy.as, await bytesOf(files.get(copy.file)!, copy));
  const form = new FormData();
  form.append("coco", new Blob([JSON.stringify(document)]), "coco.json");
  const imported = await (await client.fetch("POST", `dataset/${id}/coco`, form)).json();
  await client.finished(imported.id);
  const task = await client.send<{ id: number }>("POST", `dataset/${id}/quality/check`, {});
  await client.finished(task.id);
  const { kinds } = await client.get<{ kinds: { kind: FindingKind }[] }>(`dataset/${id}/quality`);
  const findings: ShownFinding[] = [];
  for (const { kind } of kinds)
    for (let page = 1, pages = 1; page <= pages; page++) {
      const query = `kind=${kind}&page=${page}&limit=${PAGE}`;
      const list = await client.get<{ pages: number; findings: ShownFinding[] }>(
        `dataset/${id}/quality/findings?${query}`,
      );
      pages = list.pages;
      findings.push(...list.findings);
    }
  return findings;
}

async function upload(client: Client, id: number, folder: string, name: string, bytes: Buffer): Promise<void> {
  const form = new FormData();
  form.set("folder", folder);
  form.set("files", new Blob([new Uint8Array(bytes)]), name);
  await client.fetch("POST", `dataset/${id}/upload`, form);
}

async function bytesOf(file: string, { how }: Copy): Promise<Buffer> {
  if (how === "equal") return readFileSync(file);
  const image = sharp(file);
  if (how === "recompressed") return image.jpeg({ quality: 40 }).toBuffer();
  if (how === "brighter") return image.modulate({ brightness: 1.15 }).jpeg().toBuffer();
  const { width = 0 } = await image.metadata();
  return image
    .resize(Math.round(0.6 * width))
    .jpeg()
    .toBuffer();
}

const isFound = (findings: readonly ShownFinding[], fault: Fault, key: string): boolean =>
  findings.some((finding) => KINDS_OF_FAULT[fault].includes(finding.kind) && keysOf(finding).includes(key));

/** Returns the names of what a finding is about, or of the images that it compares. */
function keysOf({ kind, image, other_image, annotation, category }: ShownFinding): string[] {
  if (annotation) return [keyOf(image?.file_name ?? "", annotation.bbox)];
  if (kind === "leak") return [image, other_image].flatMap((each) => each?.file_name ?? []);
  return [image?.file_name ?? `category ${category?.name}`];
}

/** Returns the first name of each image, annotation or category with a finding; a leak counts once, by its original. */
const subjectsOf = (findings: readonly ShownFinding[]): Set<string> =>
  new Set(
    findings.map((finding) => keysOf(finding).find((key) => !key.startsWith("copy ")) ?? keysOf(finding)[0] ?? ""),
  );

function kindsOf(findings: readonly ShownFinding[]): string {
  const counts = new Map<string, number>();
  for (const { kind } of findings) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return [...counts].map(([kind, count]) => `${kind} ${count}`).join(", ");
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
