import { buffer } from "node:stream/consumers";
import type { NewMember } from "../../../files/zip/zipWriter";
import { answerQuestions } from "../../../threads/answerQuestions";
import { Unusable } from "../../imports/read/readItem";
import type { FormatWriter, ImageWriter } from "./format";
import { formats } from "./formats";
import type { Answer, Done, DrawnText, Piece, Question, ThreadData, WholeFile } from "./imageThread";

/** Entry of the thread for images' files: it handles one request after another. */

let format: FormatWriter;
/** Of each category, by id. */
let numbers: ReadonlyMap<number, number>;
/** Of the image whose annotations are coming. */
let open: ImageWriter | undefined;
let told: Answer["told"] = [];

answerQuestions<Question, Answer>((question) => {
  told = [];
  return answer(question);
});

async function answer(question: Question): Promise<Answer> {
  if (question.part === "head") begin(question.data);
  if (question.part !== "images")
    return { done: [{ files: await whole(format[question.part]()), imagePath: "" }], annotations: 0, told };
  const done: Done[] = [];
  let annotations = 0;
  for (const piece of question.pieces) {
    open ??= format.imageWriter(piece.image);
    for (const row of piece.rows) if (add(open, row)) annotations++;
    done.push(await doneOf(open, piece));
    if (piece.isLast) open = undefined;
  }
  return { done, annotations, told };
}

function begin({ format: name, ...context }: ThreadData): void {
  format = formats[name]({ ...context, note: (text, { id }) => told.push({ text, id }) });
  numbers = new Map(context.categories.map(({ id }, number) => [id, number]));
  open = undefined;
}

async function doneOf(writer: ImageWriter, { image, isLast }: Piece): Promise<Done> {
  if (!isLast) return { files: [], imagePath: "" };
  return { files: await whole(writer.files()), imagePath: format.imagePath(image) };
}

/** False, and told, for what the format cannot say. */
function add(writer: ImageWriter, row: DrawnText): boolean {
  const category = numbers.get(row.category_id);
  if (category === undefined) return false;
  try {
    writer.add({ ...row, shape: row.shape === null ? null : JSON.parse(row.shape) }, category);
    return true;
  } catch (error) {
    if (!(error instanceof Unusable || error instanceof RangeError)) throw error;
    told.push({ text: error instanceof Unusable ? error.message : "its outline cannot be measured", id: row.id });
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
