import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import sharp from "sharp";
import { z } from "zod";
import type { BidiPage } from "./bidi";

const [WIDTH, HEIGHT] = [800, 600];
/** As macOS writes it: the accent is a character of its own. */
const FILE = "cafe\u0301 2.png";
const [ENTER, SHIFT, CONTROL, RIGHT, DOWN] = ["\uE007", "\uE008", "\uE009", "\uE014", "\uE015"];

/** The core of Limn in one browser: log-in, dataset, tools, undo, reload, search, the keyboard cursor and downloads. */
export async function walk(page: BidiPage, url: string, downloads: string): Promise<void> {
  await page.goto(url);
  await fill(page, ["ada", "correct horse", "correct horse"]);
  await page.evaluate(`document.querySelector("form button[type=submit]").click()`);
  await page.until(`[...document.querySelectorAll("h1")].some((each) => each.textContent.includes("Datasets"))`);

  const dataset = await makeDataset(page, url);
  await page.goto(`${url}dataset/${dataset}?file_name__icontains=CAFE`);
  await page.until(`document.querySelectorAll("article").length === 1`);

  const image = Number(await page.evaluate(`document.querySelector("article a").href.match(/annotate\\/(\\d+)/)[1]`));
  await page.goto(`${url}annotate/${image}`);
  await page.until(
    `document.querySelector(".annotator-image")?.naturalWidth > 0 && document.querySelector("[role=tree]") !== null`,
  );
  const at = await frame(page);

  const boxes = `fetch("${url}api/annotator/data/${image}").then((response) => response.json())
    .then(({ categories }) => categories.flatMap(({ annotations }) => annotations.map(({ bbox }) => bbox)))`;
  const countIs = (wanted: number) => `(${boxes}).then(({ length }) => length === ${wanted})`;
  await page.keys(["r"]);
  await page.drag([at(100, 100), at(200, 150), at(300, 250)]);
  await page.until(countIs(1));
  const [box] = z.array(z.array(z.number())).parse(await page.evaluate(boxes));
  for (const [i, wanted] of [100, 100, 200, 150].entries())
    assert(Math.abs((box?.[i] ?? 0) - wanted) < 2, `the box is ${box}`);
  await page.keys(["b"]);
  await page.drag([at(500, 300), at(550, 350), at(600, 300)]);
  await page.until(`(${boxes}).then(([[, , width]]) => width > 400)`);
  await page.keys(["r"]);
  await page.drag([at(400, 400), at(450, 450), at(500, 500)]);
  await page.until(countIs(2));
  await page.keys(["z"], [CONTROL]);
  await page.until(countIs(1));
  await page.keys(["r", "a", ENTER]);
  await page.keys([RIGHT, RIGHT, DOWN, DOWN], [SHIFT]);
  await page.keys([ENTER, "a"]);
  await page.until(countIs(2));

  await page.reload();
  await page.until(`document.querySelector("[role=treeitem]")?.getAttribute("aria-label") === "car (2)"`);
  await press(page, "Download Image & COCO");
  await waitFor(() => readdirSync(downloads).filter((name) => /\.(png|json)$/.test(name)).length === 2);
}

async function makeDataset(page: BidiPage, url: string): Promise<number> {
  const png = await sharp({ create: { width: WIDTH, height: HEIGHT, channels: 3, background: "#577" } })
    .png()
    .toBuffer();
  return Number(
    await page.evaluate(`(async () => {
      const headers = { "X-Requested-With": "fetch" };
      const made = await fetch(${JSON.stringify(`${url}api/dataset/`)}, { method: "POST",
        headers: { ...headers, "Content-Type": "application/json" },
        body: JSON.stringify({ name: "Walk", categories: ["car"] }) });
      const { id } = await made.json();
      const bytes = Uint8Array.from(atob("${png.toString("base64")}"), (each) => each.charCodeAt(0));
      for (const name of [${JSON.stringify(FILE)}, "other.png"]) {
        const body = new FormData();
        body.append("files", new File([bytes], name, { type: "image/png" }));
        const sent = await fetch(${JSON.stringify(`${url}api/dataset/`)} + id + "/upload", { method: "POST", headers, body });
        if (!sent.ok) throw new Error(await sent.text());
      }
      return id;
    })()`),
  );
}

/** Fills the page's fields in their order, as React reads them. */
async function fill(page: BidiPage, texts: readonly string[]): Promise<void> {
  await page.until(`document.querySelectorAll("form input").length >= ${texts.length}`);
  await page.evaluate(`(() => {
    const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set;
    const fields = [...document.querySelectorAll("form input")].filter((each) => each.name !== "name" && each.labels[0]?.textContent.match(/Username|Password/));
    for (const [i, text] of ${JSON.stringify(texts)}.entries()) {
      set.call(fields[i], text);
      fields[i].dispatchEvent(new Event("input", { bubbles: true }));
    }
  })()`);
}

async function press(page: BidiPage, name: string): Promise<void> {
  const button = `[...document.querySelectorAll("button")].find((each) => (each.getAttribute("aria-label") ?? each.textContent).trim() === ${JSON.stringify(name)})`;
  await page.until(`${button} !== undefined`);
  await page.evaluate(`${button}.click()`);
}

/** Returns the function that finds a point of the image, in image pixels, on the page. */
async function frame(page: BidiPage): Promise<(x: number, y: number) => { x: number; y: number }> {
  const place = (await page.evaluate(`(() => {
    const { left, top, width } = document.querySelector(".annotator-image").getBoundingClientRect();
    return [left, top, width / ${WIDTH}];
  })()`)) as [number, number, number];
  return (x, y) => ({ x: place[0] + x * place[2], y: place[1] + y * place[2] });
}

async function waitFor(isSo: () => boolean): Promise<void> {
  const end = Date.now() + 20_000;
  while (!isSo()) {
    if (Date.now() > end) throw new Error("The files were not downloaded.");
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
