import type { NewMember } from "../../files/zip/zipWriter";
import type { Thread } from "../../threads/threads";
import type { Exported } from "./coco/exportDataset";
import { oneAhead } from "./coco/oneAhead";
import { type Answer, type Piece, type Question, takeImageThread } from "./formats/imageThread";
import type { UnopenedMember } from "./openAhead";
import { piecesOf } from "./piecesOf";
import { storedImage } from "./storedImage";
import type { ImageOptions } from "./survey";

type Member = NewMember | UnopenedMember;

/**
 * Yields the files of all images, image by image. A thread prepares the next files while the previous ones are written.
 */
export async function* imageMembers(options: ImageOptions, exported: Exported): AsyncGenerator<Member> {
  const { dataset, format, categories, survey, skipped } = options;
  const { splitter } = survey;
  const data = { format, datasetName: dataset.name, categories, splits: splitter?.splits };
  const thread = takeImageThread();
  try {
    yield* filesOf(await thread.ask({ part: "head", data }));
    for await (const { pieces, answer } of oneAhead(answers(options, thread))) {
      exported.annotations += answer.annotations;
      for (const { text, id } of answer.omissions) skipped.add(text, `Annotation ${id}`);
      yield* members(options, exported, pieces, answer);
    }
    yield* filesOf(await thread.ask({ part: "tail" }));
  } finally {
    thread.end();
  }
}

const filesOf = ({ done }: Answer): NewMember[] => done.flatMap(({ files }) => files);

async function* members(
  options: ImageOptions,
  exported: Exported,
  pieces: readonly Piece[],
  { done }: Answer,
): AsyncGenerator<Member> {
  const { filter, survey, onProgress } = options;
  for (const [i, { image, isLast }] of pieces.entries()) {
    const { files, imagePath } = done[i] ?? { files: [], imagePath: "" };
    yield* files;
    if (!isLast) continue;
    if (filter.with_images) yield storedImage(options, image.image, imagePath);
    exported.images++;
    onProgress((100 * exported.images) / Math.max(1, survey.images));
  }
}

async function* answers(
  options: ImageOptions,
  thread: Thread<Question, Answer>,
): AsyncGenerator<{ pieces: Piece[]; answer: Answer }> {
  for await (const pieces of groups(options)) yield { pieces, answer: await thread.ask({ part: "images", pieces }) };
}

/**
 * Maximum size in pixels of one request to the thread, whose files are held in memory. Rows and files count as pixels
 * too.
 */
const PIXELS_AT_ONCE = 8_000_000;
const PIXELS_PER_ROW = 8000;
const PIXELS_PER_FILE = 80_000;

/** Yields groups of pieces: small images together, large ones alone. */
async function* groups(options: ImageOptions): AsyncGenerator<Piece[]> {
  let group: Piece[] = [];
  let pixels = 0;
  for await (const piece of piecesOf(options)) {
    group.push(piece);
    const { width, height } = piece.image.image;
    pixels += width * height + PIXELS_PER_FILE + PIXELS_PER_ROW * piece.rows.length;
    if (pixels < PIXELS_AT_ONCE) continue;
    yield group;
    group = [];
    pixels = 0;
  }
  if (group.length > 0) yield group;
}
