import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { type APIResponse, type Browser, type BrowserContextOptions, expect, type Page } from "@playwright/test";
import sharp from "sharp";
import type { AnnotatorScene } from "../../shared/api/annotator";
import { COMMAND_HEADER } from "../../shared/api/protocol/headers";
import type { Annotation } from "../../shared/entities/annotation";
import type { Rings } from "../../shared/entities/shape";
import { type LiveServerOptions, startLiveServer } from "./liveServer";
import { imageFrame } from "./userSteps";

type Content = Pick<NonNullable<Parameters<Page["request"]["fetch"]>[1]>, "data" | "multipart">;

/** Number of tries of a call that a busy server refuses, and the pause between two. */
const TRIES = 10;
const RETRY_MS = 2_000;

/** A user at the annotator: seeds data through the API and reads what the server stores afterwards. */
export class Desk {
  constructor(
    readonly page: Page,
    /** URL of the server, with a trailing slash. */
    readonly url: string,
  ) {}

  async api<T = unknown>(method: string, path: string, data?: unknown): Promise<T> {
    const answer = await this.call(method, path, data === undefined ? {} : { data });
    return (await answer.json()) as T;
  }

  /** Calls the API, again if a busy server refuses the call for a moment. Throws for other refusals. */
  private async call(method: string, path: string, content: Content): Promise<APIResponse> {
    const headers = { "X-Requested-With": "fetch", ...(method !== "GET" && { [COMMAND_HEADER]: randomUUID() }) };
    const send = () => this.page.request.fetch(`${this.url}api/${path}`, { method, headers, ...content });
    for (let tries = 1; ; tries++) {
      const answer = await send();
      if (answer.ok()) return answer;
      const text = `${method} ${path}: ${answer.status()} ${await answer.text()}`;
      if (answer.status() !== 503 || tries === TRIES) throw new Error(text);
      console.log(text);
      await wait(RETRY_MS);
    }
  }

  async register(username: string): Promise<void> {
    await this.api("POST", "user/register", { username, password: "correct horse" });
  }

  /** Creates a dataset with images. Returns its id, and the ids of the images by file name. */
  async dataset(name: string, categories: string[], images: Record<string, Buffer>) {
    const { id } = await this.api<{ id: number }>("POST", "dataset/", { name, categories });
    const imageIds = new Map<string, number>();
    for (const [file, buffer] of Object.entries(images)) {
      const answer = await this.call("POST", `dataset/${id}/upload`, {
        multipart: { files: { name: file, mimeType: "image/png", buffer } },
      });
      const { files } = (await answer.json()) as { files: { id: number }[] };
      imageIds.set(file, files[0]?.id ?? 0);
    }
    return { id, image: (file: string) => imageIds.get(file) ?? 0 };
  }

  /** Creates a dataset with plain images of one size. `files` are file names without extension. */
  async plainDataset(name: string, categories: string[], files: readonly string[], width: number, height: number) {
    const image = await bandedImage(width, height);
    const { id, image: imageFile } = await this.dataset(
      name,
      categories,
      Object.fromEntries(files.map((file) => [`${file}.png`, image])),
    );
    return { id, image: (file: string) => imageFile(`${file}.png`) };
  }

  /** Imports a COCO file and waits until its task has ended, for at most `timeout` milliseconds. */
  async importCoco(datasetId: number, file: object, timeout = 300_000): Promise<void> {
    const buffer = Buffer.from(JSON.stringify(file));
    const answer = await this.call("POST", `dataset/${datasetId}/coco`, {
      multipart: { coco: { name: "coco.json", mimeType: "application/json", buffer } },
    });
    const started = (await answer.json()) as { id: number };
    const tasks = () => this.api<{ id: number; state: string }[]>("GET", "tasks/");
    const state = async () => (await tasks()).find(({ id }) => id === started.id)?.state;
    await expect.poll(state, { timeout }).toBe("done");
  }

  async open(imageId: number, query = ""): Promise<void> {
    await this.page.goto(`${this.url}annotate/${imageId}${query}`);
    await expect(this.page.getByRole("application")).toBeVisible();
    await expect(this.page.locator(".annotator-image")).toHaveCSS("visibility", "visible");
  }

  async scene(imageId: number): Promise<AnnotatorScene> {
    return this.api<AnnotatorScene>("GET", `annotator/data/${imageId}?shape=rings`);
  }

  async annotations(imageId: number): Promise<Annotation[]> {
    return (await this.scene(imageId)).categories.flatMap(({ annotations }) => annotations);
  }

  /** Returns an image's annotations as a user sees them, without the numbers that every edit increases. */
  async document(imageId: number) {
    const all = await this.annotations(imageId);
    return all
      .map(({ uuid, category_id, rings, isbbox, color, metadata, attributes }) => ({
        uuid,
        category_id,
        rings,
        isbbox,
        color,
        metadata,
        attributes,
      }))
      .sort((a, b) => a.uuid.localeCompare(b.uuid));
  }

  async rings(imageId: number, index = 0): Promise<Rings> {
    return (await this.annotations(imageId))[index]?.rings ?? [];
  }

  /** Fits the image into the view. Returns the zoom, and a function from image pixels to screen coordinates. */
  async fit(width: number, height: number) {
    const { at, zoom } = await imageFrame(this.page, width, height);
    return { zoom, at: (x: number, y: number) => at([x / width, y / height]) };
  }

  /** Presses, moves through all points and releases. */
  async drag(points: readonly { x: number; y: number }[], steps = 4): Promise<void> {
    const [first, ...rest] = points;
    if (!first) return;
    await this.page.mouse.move(first.x, first.y);
    await this.page.mouse.down();
    for (const { x, y } of rest) await this.page.mouse.move(x, y, { steps });
    await this.page.mouse.up();
  }

  async saved(): Promise<void> {
    await expect(this.page.locator('[data-save-state="saved"]')).toBeVisible();
  }
}

/** Starts a server and opens a page on it, signed in as Ada. */
export async function openDesk(
  browser: Browser,
  options: BrowserContextOptions,
  problems: string[],
  serverOptions: LiveServerOptions = {},
) {
  const server = await startLiveServer({}, serverOptions);
  const context = await browser.newContext(options);
  const page = await context.newPage();
  recordProblems(page, problems);
  const desk = new Desk(page, server.url);
  await desk.register("ada");
  return { server, context, page, desk };
}

/** Records problems that a page does not show: uncaught errors, and errors on its console. */
export function recordProblems(page: Page, problems: string[]): void {
  page.on("pageerror", (error) => problems.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error" && !isNetworkError(message.text())) problems.push(message.text());
  });
  // Pages retry these: the output then says what a busy server refused.
  page.on("response", async (response) => {
    if (response.status() !== 503) return;
    const text = await response.text().catch(() => "");
    console.log(`503 ${response.request().method()} ${response.url()} ${text.slice(0, 200)}`);
  });
}

/**
 * Matches calls that a busy server refused for the moment, which pages retry, and failures of a network on which calls
 * fail (LIMN_SLOW_FAILS). The browser reports each.
 */
const isNetworkError = (text: string): boolean =>
  /status of 503/.test(text) ||
  (process.env.LIMN_SLOW_FAILS === "1" && /ERR_(EMPTY_RESPONSE|CONNECTION_\w+)/.test(text));

/** Colours of the top left and the bottom right corner. */
const [DARK, LIGHT] = [
  [0x26, 0x35, 0x4d],
  [0xd8, 0xcb, 0xb3],
] as const;

/** Returns a plain image with soft bands, on which every colour of a shape is distinguishable. */
export function bandedImage(width: number, height: number): Promise<Buffer> {
  const data = Buffer.allocUnsafe(width * height * 3);
  let at = 0;
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const share = (x / width + y / height) / 2;
      for (let k = 0; k < 3; k++) data[at++] = Math.round(DARK[k]! + share * (LIGHT[k]! - DARK[k]!));
    }
  return sharp(data, { raw: { width, height, channels: 3 } })
    .png()
    .toBuffer();
}
