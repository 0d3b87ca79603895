import { buffer } from "node:stream/consumers";
import type { NewMember } from "../../../files/zip/zipWriter";
import { answerQuestions } from "../../../threads/answerQuestions";
import { Unusable } from "../../imports/read/readItem";
import type { FormatWriter, ImageWriter } from "./format";
import { formats } from "./formats";
import type { Answer, Done, DrawnText, Piece, Question, ThreadData, WholeFile } from "./imageThread";

/** Entry point of the thread that writes images' files. It handles one request at a time. */

let format: FormatWriter;
/** Category numbers by id. */
let numbers: ReadonlyMap<number, number>;
/** Writer of the image whose annotations are being received. */
let open: ImageWriter | undefined;
let omissions: Answer["omissions"] = [];

answerQuestions<Question, Answer>((question) => {
  omissions = [];
  return answer(question);
});

async function answer(question: Question): Promise<Answer> {
  if (question.part === "head") begin(question.data);
  if (question.part !== "images")
    return { done: [{ files: await whole(format[question.part]()), imagePath: "" }], annotations: 0, omissions };
  const done: Done[] = [];
  let annotations = 0;
  for (const piece of question.pieces) {
    open ??= format.imageWriter(piece.image);
    for (const row of piece.rows) if (add(open, row)) annotations++;
    done.push(await doneOf(open, piece));
    if (piece.isLast) open = undefined;
  }
  return { done, annotations, omissions };
}

function begin({ format: name, ...context }: ThreadData): void {
  format = formats[name]({ ...context, note: (text, { id }) => omissions.push({ text, id }) });
  numbers = new Map(context.categories.map(({ id }, number) => [id, number]));
  open = undefined;
}

async function doneOf(writer: ImageWriter, { image, isLast }: Piece): Promise<Done> {
  if (!isLast) return { files: [], imagePath: "" };
  return { files: await whole(writer.files()), imagePath: format.imagePath(image) };
}

/** Adds an annotation. Returns false, and records an omission, if the format cannot express it. */
function add(writer: ImageWriter, row: DrawnText): boolean {
  const category = numbers.get(row.category_id);
  if (category === undefined) return false;
  try {
    writer.add({ ...row, shape: row.shape === null ? null : JSON.parse(row.shape) }, category);
    return true;
  } catch (error) {
    if (!(error instanceof Unusable || error instanceof RangeError)) throw error;
    omissions.push({ text: error instanceof Unusable ? error.message : "its outline cannot be measured", id: row.id });
    return false;
  }
}

async function whole(members: Iterable<NewMember>): Promise<WholeFile[]> {
  const files: WholeFile[] = [];
  for (const { content, ...member } of members) {
    const isWhole = typeof content === "string" || content instanceof Uint8Array;
    files.push({ ...member, content: isWhole ? content : await buffer(content) });
  }
  return files;
}
