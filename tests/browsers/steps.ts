import { type BrowserPage, type Place, until } from "./browserPage";

/** Width and height, in pixels, of the image that the walk annotates. */
export const [WIDTH, HEIGHT] = [800, 600];

/** A file as a user chooses it. */
export interface ChosenFile {
  name: string;
  type: string;
  content: Buffer;
}

/** Registers the server's first user. */
export async function register(page: BrowserPage, url: string): Promise<void> {
  await page.goto(url);
  await signIn(page, ["ada", "correct horse", "correct horse"]);
}

/** Logs in a user, by default that of `register`. All have the same password. */
export async function logIn(page: BrowserPage, url: string, username = "ada"): Promise<void> {
  await page.goto(url);
  await signIn(page, [username, "correct horse"]);
}

async function signIn(page: BrowserPage, texts: readonly string[]): Promise<void> {
  await fill(page, texts);
  await page.evaluate(`document.querySelector("form button[type=submit]").click()`);
  await until(page, `[...document.querySelectorAll("h1")].some((each) => each.textContent.includes("Datasets"))`);
}

/** Creates a dataset through the API, as the signed-in user. Returns its id. */
export async function createDataset(page: BrowserPage, url: string, name: string): Promise<number> {
  const body = JSON.stringify({ name, categories: ["car"] });
  const { id } = (await page.evaluate(`fetch(${JSON.stringify(`${url}api/dataset/`)}, {
    method: "POST", headers: { "X-Requested-With": "fetch", "Content-Type": "application/json" },
    body: ${JSON.stringify(body)} }).then((response) => response.json())`)) as { id: number };
  return id;
}

/** Uploads images on a dataset's page and waits until all are stored. */
export async function addImages(page: BrowserPage, files: readonly ChosenFile[], seconds = 20): Promise<void> {
  await chooseFiles(page, `input[type="file"][multiple]`, files);
  await until(page, `document.body.innerText.includes("${files.length} added")`, seconds);
}

/** Imports a COCO file on a dataset's page: dry run, import, report. */
export async function importCoco(page: BrowserPage, file: ChosenFile): Promise<void> {
  await chooseFiles(page, `input[aria-label="COCO file"]`, [file]);
  await until(page, `document.querySelector("[role=dialog]")?.innerText.includes("Will be")`, 60);
  await press(page, "Import", "[role=dialog]");
  await until(page, `/undo import/i.test(document.body.innerText)`, 60);
}

/** Gives files to a file field, as if the user had chosen them. */
async function chooseFiles(page: BrowserPage, field: string, files: readonly ChosenFile[]): Promise<void> {
  const sent = files.map(({ content, ...file }) => ({ ...file, content: content.toString("base64") }));
  await until(page, `document.querySelector(${JSON.stringify(field)}) !== null`);
  await page.evaluate(`(() => {
    const chosen = new DataTransfer();
    for (const { name, type, content } of ${JSON.stringify(sent)})
      chosen.items.add(new File([Uint8Array.from(atob(content), (each) => each.charCodeAt(0))], name, { type }));
    const field = document.querySelector(${JSON.stringify(field)});
    field.files = chosen.files;
    field.dispatchEvent(new Event("change", { bubbles: true }));
  })()`);
}

/** Fills the page's fields in their order, as React reads them. */
async function fill(page: BrowserPage, texts: readonly string[]): Promise<void> {
  await until(page, `document.querySelectorAll("form input").length >= ${texts.length}`);
  await page.evaluate(`(() => {
    const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set;
    const fields = [...document.querySelectorAll("form input")].filter((each) => each.name !== "name" && each.labels[0]?.textContent.match(/Username|Password/));
    for (const [i, text] of ${JSON.stringify(texts)}.entries()) {
      set.call(fields[i], text);
      fields[i].dispatchEvent(new Event("input", { bubbles: true }));
    }
  })()`);
}

/** Waits until the button with this name is enabled, and clicks it. */
export async function press(page: BrowserPage, name: string, within = "body"): Promise<void> {
  const button = `[...document.querySelectorAll(${JSON.stringify(`${within} button`)})]
    .find((each) => (each.getAttribute("aria-label") ?? each.textContent).trim() === ${JSON.stringify(name)}
      && !each.disabled && each.getAttribute("aria-disabled") !== "true")`;
  await until(page, `${button} !== undefined`);
  await page.evaluate(`${button}.click()`);
}

/** An image that is open in the annotator. */
export interface OpenImage {
  /** Returns a point of the image, in image pixels, on the page. */
  at(x: number, y: number): Place;
  /** Expression for the annotations that the server has stored, in order. */
  stored: string;
  /** Waits until the server has stored this number of annotations. */
  countIs(count: number, seconds?: number): Promise<void>;
}

/** Opens an image in the annotator and waits for it. */
export async function openImage(page: BrowserPage, url: string, image: number): Promise<OpenImage> {
  await page.goto(`${url}annotate/${image}`);
  await imageIsShown(page);
  const place = (await page.evaluate(`(() => {
    const { left, top, width } = document.querySelector(".annotator-image").getBoundingClientRect();
    return [left, top, width / ${WIDTH}];
  })()`)) as [number, number, number];
  const stored = `fetch("${url}api/annotator/data/${image}").then((response) => response.json())
    .then(({ categories }) => categories.flatMap(({ annotations }) => annotations).sort((a, b) => a.id - b.id))`;
  return {
    at: (x, y) => ({ x: place[0] + x * place[2], y: place[1] + y * place[2] }),
    stored,
    countIs: (count, seconds) => until(page, `(${stored}).then(({ length }) => length === ${count})`, seconds),
  };
}

export const imageIsShown = (page: BrowserPage, seconds = 20): Promise<void> =>
  until(
    page,
    `document.querySelector(".annotator-image")?.naturalWidth > 0 && document.querySelector("[role=tree]") !== null`,
    seconds,
  );

/** Waits until the list of the open image shows this number of annotations of its category. */
export const listShows = (page: BrowserPage, count: number): Promise<void> =>
  until(page, `document.querySelector("[role=treeitem]")?.getAttribute("aria-label") === "car (${count})"`);

/** Presses a tool's keys until it is chosen: a page that is just being shown may miss the first press. */
export async function chooseTool(page: BrowserPage, name: string, key: string, held: readonly string[] = []) {
  const isChosen = `document.querySelector('button[aria-label="${name} Tool"]')?.getAttribute("aria-pressed") === "true"`;
  for (let tries = 1; ; tries++) {
    await page.keys([key], held);
    const chosen = await until(page, isChosen, 2).then(
      () => true,
      () => false,
    );
    if (chosen) return;
    if (tries === 5) throw new Error(`The ${name} tool was not chosen.`);
  }
}

/** Returns the id of the image whose card is the only one on the page. */
export async function onlyImage(page: BrowserPage): Promise<number> {
  await until(page, `document.querySelectorAll("article").length === 1`);
  return Number(await page.evaluate(`document.querySelector("article a").href.match(/annotate\\/(\\d+)/)[1]`));
}
