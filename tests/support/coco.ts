import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { readFile } from "node:fs/promises";
import { taskKinds } from "../../server/tasks";
import { type EndedTask, runTask } from "./runTask";
import type { TestServer, TestUser } from "./server";

/** A COCO file, as loosely typed as such files are. */
export interface CocoFile {
  [key: string]: unknown;
  images?: unknown[];
  categories?: unknown[];
  annotations?: unknown[];
}

/** An exported COCO file. */
export interface ExportedCoco {
  info: Record<string, unknown>;
  licenses?: Record<string, unknown>[];
  images: Record<string, unknown>[];
  categories: Record<string, unknown>[];
  annotations: Record<string, unknown>[];
}

/**
 * Starts an import by upload. Returns the server's response. `query` is the query string of the call, including "?".
 */
export function uploadImport(
  user: TestUser,
  datasetId: number,
  file: CocoFile | string | Blob,
  { name = "coco.json", query = "" } = {},
) {
  const blob = file instanceof Blob ? file : new Blob([typeof file === "string" ? file : JSON.stringify(file)]);
  const body = new FormData();
  body.append("coco", blob, name);
  return user.request("POST", `dataset/${datasetId}/coco${query}`, { body });
}

export interface EndedImport extends EndedTask {
  importId: number;
  report: Record<string, ReturnType<typeof JSON.parse>>;
}

/** Uploads a file and runs its import to the end. */
export async function importFile(
  server: TestServer,
  user: TestUser,
  datasetId: number,
  file: CocoFile | string | Blob,
  query = "",
): Promise<EndedImport> {
  const { status, body, text } = await uploadImport(user, datasetId, file, { query });
  if (status !== 200) throw new Error(`${status} ${text}`);
  const ended = await runQueuedTask(server, body.id);
  const row = await server.db
    .selectFrom("imports")
    .selectAll()
    .where("task_id", "=", body.id)
    .executeTakeFirstOrThrow();
  return { ...ended, importId: row.id, report: row.report };
}

/** Runs a task that a call has added to the queue. */
export function runQueuedTask(server: TestServer, taskId: number): Promise<EndedTask> {
  return runTask(server.db, taskKinds, server.services, taskId);
}

export async function exportOf(user: TestUser, datasetId: number, query = ""): Promise<ExportedCoco> {
  const { status, body, text } = await user.get(`dataset/${datasetId}/coco${query}`);
  if (status !== 200) throw new Error(`${status} ${text}`);
  return body;
}

export const readCoco = async (path: string): Promise<ExportedCoco> => JSON.parse(await readFile(path, "utf8"));

/** Inserts rows of images without files, matching a file's `images`. */
export async function seedImages(
  server: TestServer,
  datasetId: number,
  images: readonly { file_name: string; width: number; height: number; orientation?: number }[],
): Promise<void> {
  for (let from = 0; from < images.length; from += 500)
    await server.db
      .insertInto("images")
      .values(
        images.slice(from, from + 500).map(({ file_name: path, width, height, orientation = 1 }) => ({
          dataset_id: datasetId,
          path,
          folder: path.slice(0, path.lastIndexOf("/") + 1),
          file_name: path.slice(path.lastIndexOf("/") + 1),
          width,
          height,
          orientation,
          mime: "image/jpeg",
          bytes: 1000,
          modified_ms: 0,
          hash: `hash of ${path}`,
        })),
      )
      .execute();
}

/** A polygon of `points` points with two decimals. */
export function polygon(seed: number, points = 60): number[] {
  return Array.from({ length: points }, (_, i) => {
    const angle = (i / points) * 2 * Math.PI;
    const radius = 40 + (seed % 17) + 5 * Math.sin(5 * angle);
    return [100 + (seed % 90) + radius * Math.cos(angle), 100 + radius * Math.sin(angle)].map(
      (value) => Math.round(value * 100) / 100,
    );
  }).flat();
}

/** Writes a file in parts, with annotations before categories as in the official ones. Images are 640 x 480. */
export async function writeLargeCoco(path: string, images: number, annotations: number, points = 60): Promise<void> {
  const file = createWriteStream(path);
  const write = async (text: string) => {
    if (!file.write(text)) await once(file, "drain");
  };
  const list = async (count: number, item: (n: number) => unknown) => {
    for (let n = 0; n < count; n++) await write((n > 0 ? "," : "") + JSON.stringify(item(n)));
  };
  await write('{"info":{"year":2026},"licenses":[],"images":[');
  await list(images, (n) => ({ id: n + 1, file_name: `${n + 1}.jpg`, width: 640, height: 480 }));
  await write('],"annotations":[');
  await list(annotations, (n) => ({
    id: n + 1,
    image_id: 1 + (n % images),
    category_id: 1 + (n % 3),
    segmentation: [polygon(n, points)],
    area: n + 0.5,
    bbox: [n % 600, 10.25, 30, 40],
    iscrowd: 0,
  }));
  await write('],"categories":[');
  await list(3, (n) => ({ id: n + 1, name: `thing ${n + 1}`, supercategory: "things" }));
  await write("]}");
  file.end();
  await once(file, "close");
}
