import { setTimeout as wait } from "node:timers/promises";
import type { Bystander, Seen } from "./bystander";
import { creation } from "./stallBodies";

/** The process of `startBystander`. Its argument is the task as JSON. */
interface Task extends Bystander {
  url: string;
  headers: Record<string, string>;
}

const { url, headers, imageId, categoryId, pauseMs }: Task = JSON.parse(process.argv[2] ?? "");
const seen: Seen = { times: [], failed: 0 };
let isOver = false;
process.once("message", () => {
  isOver = true;
});
for (let isFirst = true; !isOver; isFirst = false) {
  if (categoryId !== undefined) await request("annotator/edits", saveOf(imageId, categoryId));
  await request(`annotator/data/${imageId}?shape=rings`);
  if (isFirst) process.send?.("working");
  await wait(pauseMs);
}
process.send?.(seen, () => process.disconnect());

async function request(path: string, body?: object): Promise<void> {
  const start = performance.now();
  const init = body && {
    method: "POST",
    body: JSON.stringify(body),
    headers: { ...headers, "Content-Type": "application/json" },
  };
  const isFine = await fetch(`${url}api/${path}`, init ?? { headers }).then(
    async (response) => {
      await response.arrayBuffer();
      return response.ok;
    },
    () => false,
  );
  if (!isFine) seen.failed += 1;
  seen.times.push(performance.now() - start);
}

function saveOf(imageId: number, categoryId: number): object {
  return { client: "bench-second", edits: [creation(imageId, categoryId, [[[10, 10, 60, 10, 60, 60]]])] };
}
