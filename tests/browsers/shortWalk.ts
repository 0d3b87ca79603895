import { z } from "zod";
import { reloadAndDownload } from "./downloads";
import type { StartedBrowser } from "./engines";
import { FILE, images } from "./images";
import { chooseTool, logIn, openImage } from "./steps";

/** A short version of the walk, with an existing user and image: log-in, a box, reload, export. */
export async function shortWalk({ page, url, downloads }: StartedBrowser, { dataset, image }: Place): Promise<void> {
  await logIn(page, url);
  const { at, countIs } = await openImage(page, url, image);
  await chooseTool(page, "BBox", "r");
  await page.drag([at(100, 100), at(200, 150), at(300, 250)]);
  await countIs(1);
  await reloadAndDownload(page, { url, dataset, downloads, count: 1, total: 1 });
}

/** Ids of the dataset and the image that a short walk uses. */
interface Place {
  dataset: number;
  image: number;
}

/**
 * Registers the user on a new server. Returns a function that creates the dataset and the image of the next short walk.
 */
export async function prepareShortWalks(url: string): Promise<(name: string) => Promise<Place>> {
  const headers = { "X-Requested-With": "fetch", "Content-Type": "application/json" };
  const post = async (path: string, body: BodyInit, more: Record<string, string>) => {
    const response = await fetch(`${url}api/${path}`, { method: "POST", headers: more, body });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return response;
  };
  const registered = await post(
    "user/register",
    JSON.stringify({ username: "ada", password: "correct horse" }),
    headers,
  );
  const cookie = registered.headers
    .getSetCookie()
    .map((each) => each.split(";")[0])
    .join("; ");
  return async (name) => {
    const made = await post("dataset/", JSON.stringify({ name, categories: ["car"] }), { ...headers, cookie });
    const { id: dataset } = z.object({ id: z.number() }).parse(await made.json());
    const body = new FormData();
    for (const { name: file, type, content } of await images([FILE]))
      body.append("files", new Blob([new Uint8Array(content)], { type }), file);
    const sent = await post(`dataset/${dataset}/upload`, body, { "X-Requested-With": "fetch", cookie });
    const { files } = z.object({ files: z.array(z.object({ id: z.number() })).min(1) }).parse(await sent.json());
    return { dataset, image: files[0]!.id };
  };
}
