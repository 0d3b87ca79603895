import type { Kysely } from "kysely";
import { isStorable, type Json, writtenLength } from "../../../../shared/entities/scalars";
import { foldName } from "../../../../shared/text/fold";
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

/** Images and categories to which a file's annotations refer. */
export interface Catalogue {
  categories: ReadCategory[];
  /** The dataset's image, or the reason why there is none, by the file's id. */
  images: Map<FileId, FileImage | Unmatched>;
  /** Licenses of the file, which exports include. */
  licenses: Json[];
  /** True if an image has unknown keys or metadata to store. */
  hasImageKeys: boolean;
  pixels: PixelsReport;
}

export interface CatalogueOptions extends Omit<SplitOptions, "lists" | "onKey"> {
  db: Kysely<Schema>;
  datasetId: number;
  /** The user's choice of the pixels that the file was made for, used if the file does not prove it. */
  pixels: Pixels | undefined;
  /** Problems with images. */
  images: Tally;
  /** Notes on images whose EXIF orientation affects the coordinates in the file. */
  imageNotes: Tally;
  /** Problems with categories. */
  categories: Tally;
  /** Problems with the file's top-level lists. */
  lists: Tally;
}

const LISTS = ["images", "categories", "licenses"];
const NEEDED = ["images", "annotations", "categories"];
const KEYS: ReadonlySet<string> = new Set([...NEEDED, "licenses", "info"]);
const MAX_CATEGORIES = 10_000;
const MAX_LICENSES = 100;
const MAX_LICENSE_LENGTH = 10_000;

/**
 * Reads a file's categories and images in a first pass, since they may follow the annotations. Throws an Error whose
 * message is shown to the user if the file has none of COCO's lists.
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
  checkLists(keys, options.lists);
  return {
    ...catalogue,
    categories: namesakesById(catalogue.categories),
    pixels: pixels.settle(options.pixels, options.imageNotes),
  };
}

const BY_ID = new Intl.Collator("en", { numeric: true });

/** Returns the categories in the file's order, with those of the same name sorted by id among themselves. */
function namesakesById(categories: readonly ReadCategory[]): ReadCategory[] {
  const byName = new Map<string, ReadCategory[]>();
  for (const category of categories) {
    const name = foldName(category.name);
    const namesakes = byName.get(name);
    if (namesakes) namesakes.push(category);
    else byName.set(name, [category]);
  }
  for (const namesakes of byName.values())
    namesakes.sort((a, b) => BY_ID.compare(String(a.fileId), String(b.fileId))).reverse();
  return categories.map((category) => byName.get(foldName(category.name))?.pop() ?? category);
}

/**
 * Reports missing lists and unknown top-level keys. `keys`: true for lists. Throws an Error if all lists are missing.
 */
function checkLists(keys: ReadonlyMap<string, boolean>, tally: Tally): void {
  if (!NEEDED.some((key) => keys.get(key)))
    throw new Error("This is not a COCO file: it has no list of images, annotations or categories.");
  for (const key of NEEDED) {
    if (!keys.has(key)) tally.add("is missing", key);
    else if (!keys.get(key)) tally.add("is not a list", key);
  }
  for (const key of keys.keys()) if (!KEYS.has(key)) tally.add("is not part of a COCO file and was left out", key);
}

function addCategory(
  { categories: tally }: CatalogueOptions,
  { categories }: Pick<Catalogue, "categories">,
  item: SplitItem,
): void {
  const label = labelOf("Category", item);
  try {
    const read = readCategory(asItem(usable(item)), item.text, (text) => tally.add(text, label));
    if (categories.length === MAX_CATEGORIES) throw new Unusable(`exceeds the limit of ${MAX_CATEGORIES} categories`);
    if (categories.some(({ fileId }) => fileId === read.fileId))
      throw new Unusable("has the same id as an earlier one");
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
  elements: readonly SplitItem[],
  onMatch: (id: FileId, match: ImageMatch) => void,
): Promise<void> {
  const read: ReadImage[] = [];
  for (const element of elements) {
    try {
      const item = asItem(usable(element));
      const id = idOf(item, "id", element.text);
      if (id === undefined) throw new Unusable("has no id");
      if (catalogue.images.has(id)) throw new Unusable("has the same id as an earlier one");
      catalogue.images.set(id, "not in the dataset");
      read.push({ id, item, stems: element.stems });
    } catch (error) {
      if (!(error instanceof Unusable)) throw error;
      tally.add(error.message, labelOf("Image", element));
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

/** Matches images by file name, or by path without extension if the file has no file names. */
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

/** Finds images that several paths of the file matched by file name only, which makes the name ambiguous. */
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

/** Returns an element's value. Throws Unusable if the element could not be read. */
export function usable({ value, problem }: SplitItem): unknown {
  if (problem !== undefined) throw new Unusable(problem);
  return value;
}

/** Returns an element's name for the log. */
export function labelOf(what: string, { index, value, label }: SplitItem): string {
  if (label !== undefined) return label;
  const id = typeof value === "object" && value !== null && "id" in value ? value.id : undefined;
  const isShort = (typeof id === "string" && id.length <= 50) || typeof id === "number";
  return isShort ? `${what} ${id}` : `${what} at position ${index + 1}`;
}
