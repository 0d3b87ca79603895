import type { Kysely } from "kysely";
import { isStorable, type Json, writtenLength } from "../../../../shared/entities/scalars";
import type { Schema } from "../../../db/schema";
import { type SplitItem, type SplitOptions, splitFile } from "../formats/splitFile";
import { type ImageMatch, matchImages, type Pixels, type Unmatched } from "../match/matchImages";
import { matchStems } from "../match/matchStems";
import { ImagePixels, type PixelsReport } from "../match/settlePixels";
import type { Tally } from "../read/importReport";
import type { FileImage } from "../read/readAnnotation";
import { type ReadCategory, readCategory } from "../read/readCategory";
import { asItem, type FileId, type Item, idOf, Unusable } from "../read/readItem";
import { readImageKeys } from "./imageKeys";

/** Images and categories that a file's annotations refer to. */
export interface Catalogue {
  categories: ReadCategory[];
  /** By the file's id: the dataset's image, or why there is none. */
  images: Map<FileId, FileImage | Unmatched>;
  /** Licenses as the file has them, to be written out again. */
  licenses: Json[];
  /** True if some image has keys to be kept. */
  hasImageKeys: boolean;
  pixels: PixelsReport;
}

export interface CatalogueOptions extends Omit<SplitOptions, "lists" | "onKey"> {
  db: Kysely<Schema>;
  datasetId: number;
  /** The pixels that the file was made for, by the user's word; used where the file does not show it. */
  pixels: Pixels | undefined;
  /** Problems with images, categories and the file's lists. */
  images: Tally;
  /** Images whose EXIF orientation mattered. */
  imageNotes: Tally;
  categories: Tally;
  lists: Tally;
}

const LISTS = ["images", "categories", "licenses"];
const NEEDED = ["images", "annotations", "categories"];
const KEYS: ReadonlySet<string> = new Set([...NEEDED, "licenses", "info"]);
const MAX_CATEGORIES = 10_000;
const MAX_LICENSES = 100;
const MAX_LICENSE_LENGTH = 10_000;

/**
 * First reading of a file: its categories and images, which may stand behind the annotations. Throws an Error for people
 * on a file that has no list of a COCO file at all.
 */
export async function readCatalogue(options: CatalogueOptions): Promise<Catalogue> {
  const catalogue = { categories: [], images: new Map(), licenses: [], hasImageKeys: false } as Omit<
    Catalogue,
    "pixels"
  >;
  const byName = new SharedImages();
  const pixels = new ImagePixels();
  let images: SplitItem[] = [];
  const takeImages = async () => {
    await addImages(options, catalogue, images, (id, match) => {
      byName.add(id, match);
      pixels.add(match);
    });
    images = [];
  };
  const keys = new Map<string, boolean>();
  const onKey = (key: string, isList: boolean) => keys.set(key, isList || keys.get(key) === true);
  for await (const items of splitFile({ ...options, lists: LISTS, onKey })) {
    for (const item of items) {
      if (item.key === "images") images.push(item);
      else if (item.key === "categories") addCategory(options, catalogue, item);
      else addLicense(catalogue, item.value);
      if (images.length === 1000) await takeImages();
    }
  }
  await takeImages();
  byName.refuse(catalogue, options.images);
  tellLists(keys, options.lists);
  return {
    ...catalogue,
    categories: namesakesById(catalogue.categories),
    pixels: pixels.settle(options.pixels, options.imageNotes),
  };
}

const BY_ID = new Intl.Collator("en", { numeric: true });

/** Categories in the file's order, but those that share a name in the order of their ids among themselves. */
function namesakesById(categories: readonly ReadCategory[]): ReadCategory[] {
  const byName = new Map<string, ReadCategory[]>();
  for (const category of categories) {
    const name = category.name.toLowerCase();
    const namesakes = byName.get(name);
    if (namesakes) namesakes.push(category);
    else byName.set(name, [category]);
  }
  for (const namesakes of byName.values())
    namesakes.sort((a, b) => BY_ID.compare(String(a.fileId), String(b.fileId))).reverse();
  return categories.map((category) => byName.get(category.name.toLowerCase())?.pop() ?? category);
}

/** Reports the lists that a file lacks, and its keys that are no part of a COCO file. `keys`: true for lists. */
function tellLists(keys: ReadonlyMap<string, boolean>, tally: Tally): void {
  if (!NEEDED.some((key) => keys.get(key)))
    throw new Error("This is not a COCO file: it has no list of images, annotations or categories.");
  for (const key of NEEDED) {
    if (!keys.has(key)) tally.add("is missing", key);
    else if (!keys.get(key)) tally.add("is not a list", key);
  }
  for (const key of keys.keys()) if (!KEYS.has(key)) tally.add("is no part of a COCO file, and was left out", key);
}

function addCategory(
  { categories: tally }: CatalogueOptions,
  { categories }: Pick<Catalogue, "categories">,
  cut: SplitItem,
): void {
  const label = labelOf("Category", cut);
  try {
    const read = readCategory(asItem(usable(cut)), cut.text, (text) => tally.add(text, label));
    if (categories.length === MAX_CATEGORIES) throw new Unusable(`is beyond the first ${MAX_CATEGORIES}`);
    if (categories.some(({ fileId }) => fileId === read.fileId)) throw new Unusable("has the id of another one");
    categories.push(read);
  } catch (error) {
    if (!(error instanceof Unusable)) throw error;
    tally.add(error.message, label);
  }
}

function addLicense({ licenses }: Pick<Catalogue, "licenses">, value: unknown): void {
  if (licenses.length === MAX_LICENSES || !isStorable(value)) return;
  if (writtenLength(value) <= MAX_LICENSE_LENGTH) licenses.push(value as Json);
}

async function addImages(
  { db, datasetId, images: tally, lists: notes }: CatalogueOptions,
  catalogue: Pick<Catalogue, "images" | "hasImageKeys">,
  cuts: readonly SplitItem[],
  onMatch: (id: FileId, match: ImageMatch) => void,
): Promise<void> {
  const read: ReadImage[] = [];
  for (const cut of cuts) {
    try {
      const item = asItem(usable(cut));
      const id = idOf(item, "id", cut.text);
      if (id === undefined) throw new Unusable("has no id");
      if (catalogue.images.has(id)) throw new Unusable("has the id of another one");
      catalogue.images.set(id, "not in the dataset");
      read.push({ id, item, stems: cut.stems });
    } catch (error) {
      if (!(error instanceof Unusable)) throw error;
      tally.add(error.message, labelOf("Image", cut));
    }
  }
  const matches = await matchAll(db, datasetId, read);
  for (const { id, item } of read) {
    const match = matches.get(id) as ImageMatch;
    catalogue.images.set(id, match.image);
    if (typeof match.image === "string") tally.add(match.image, match.name || `Image ${String(id)}`);
    else onMatch(id, match);
    const { keys, dropped } = readImageKeys(item);
    catalogue.hasImageKeys ||= keys !== undefined;
    if (dropped) notes.add("has keys or metadata that cannot be stored, which were left out", `Image ${String(id)}`);
  }
}

interface ReadImage {
  id: FileId;
  item: Item;
  stems: readonly string[] | undefined;
}

/** By file name, or, where the file says none, by path without ending. */
async function matchAll(
  db: Kysely<Schema>,
  datasetId: number,
  read: readonly ReadImage[],
): Promise<Map<FileId, ImageMatch>> {
  const named = read.filter(({ stems }) => !stems);
  const unnamed = read.filter(({ stems }) => stems);
  const byName = await matchImages(
    db,
    datasetId,
    named.map(({ item }) => item),
  );
  const byStem = await matchStems(
    db,
    datasetId,
    unnamed.map(({ stems = [] }) => stems),
  );
  const matches = [...byName, ...byStem];
  return new Map([...named, ...unnamed].map(({ id }, i) => [id, matches[i] as ImageMatch]));
}

/** Images of the dataset that were found by their bare names only: two paths of the file cannot mean the same one. */
class SharedImages {
  private readonly first = new Map<number, { name: string; shared: boolean }>();
  private readonly byName = new Map<FileId, { name: string; imageId: number }>();

  add(id: FileId, { name, image, byName }: ImageMatch): void {
    if (typeof image === "string") return;
    if (byName) this.byName.set(id, { name, imageId: image.id });
    const known = this.first.get(image.id);
    if (known) known.shared ||= known.name !== name;
    else this.first.set(image.id, { name, shared: false });
  }

  refuse({ images }: Pick<Catalogue, "images">, tally: Tally): void {
    for (const [id, { name, imageId }] of this.byName) {
      if (!this.first.get(imageId)?.shared) continue;
      images.set(id, "ambiguous file name");
      tally.add("ambiguous file name", name);
    }
  }
}

/** The element. Throws Unusable where its reader has found that there is none. */
export function usable({ value, problem }: SplitItem): unknown {
  if (problem !== undefined) throw new Unusable(problem);
  return value;
}

/** Returns the name of an element in the log. */
export function labelOf(what: string, { index, value, label }: SplitItem): string {
  if (label !== undefined) return label;
  const id = typeof value === "object" && value !== null && "id" in value ? value.id : undefined;
  const isShort = (typeof id === "string" && id.length <= 50) || typeof id === "number";
  return isShort ? `${what} ${id}` : `${what} at place ${index + 1}`;
}
