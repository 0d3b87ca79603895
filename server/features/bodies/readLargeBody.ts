import { createAnnotation, updateAnnotation } from "../../../shared/api/annotation";
import { saveAnnotatorData, sendEdits } from "../../../shared/api/annotator";
import type { Call } from "../../../shared/api/protocol/call";
import type { EditBatch } from "../../../shared/edits/edit";
import { TooManyCoordinates } from "../../../shared/geometry/paperJson";
import { HttpError, tooLarge } from "../../base/errors";
import { parseInput } from "../../middleware/parseInput";
import { parseAnyDepth, parseJson, requireLowDepth } from "../../middleware/readBody";
import { parseEdit } from "../edits/parseEdit";
import type { Answer, Question, ReadBatch } from "./bodyQuestion";
import { cutOutlines } from "./cutOutlines";
import { readState, type SavedState } from "./savedState";

/** Maximum number of values in a body: ten annotations of maximum length. More would exhaust the memory. */
const MAX_VALUES = 2_000_000;

const calls = new Map<string, Call>(
  [createAnnotation, updateAnnotation, saveAnnotatorData, sendEdits].map((call) => [nameOfCall(call), call]),
);

/** Returns the name that identifies a call to the thread. */
export function nameOfCall({ method, path }: Pick<Call, "method" | "path">): string {
  return `${method} ${path}`;
}

export const hasLargeBodies = (call: Call): boolean => calls.has(nameOfCall(call));

/** Reads and checks a large body in the same way as a small body. Also parses the edits of a batch. */
export function readLargeBody({ call: name, bytes }: Question): Answer {
  const call = calls.get(name);
  if (!call?.body) throw new Error(`The call ${name} accepts no large bodies.`);
  try {
    if (countCommas(bytes) > MAX_VALUES) throw tooManyValues();
    if (name === nameOfCall(saveAnnotatorData)) return { state: readSave(call.body, bytes) };
    const body = parseInput(call.body, parseJson(bytes));
    return name === nameOfCall(sendEdits) ? readBatch(body as EditBatch) : { body };
  } catch (thrown) {
    const error = thrown instanceof TooManyCoordinates ? tooManyValues() : thrown;
    if (!(error instanceof HttpError)) throw error;
    const { status, message, errors } = error;
    return { refusal: { status, message, ...(errors && { errors }) } };
  }
}

/** Reads a save with one parsed outline in memory at a time. */
function readSave(schema: NonNullable<Call["body"]>, bytes: Uint8Array): SavedState {
  requireLowDepth(bytes);
  const { rest, outlines } = cutOutlines(bytes);
  const outlineOf = (path: unknown) => {
    const outline = typeof path === "number" ? outlines[path] : undefined;
    return outline ? parseAnyDepth(outline) : path;
  };
  return readState(parseInput(schema, parseAnyDepth(rest)), MAX_VALUES, outlineOf);
}

const tooManyValues = () => tooLarge("The request has too many coordinates. Send fewer at a time.");

const readBatch = ({ edits, ...batch }: EditBatch): ReadBatch => ({ batch, parsed: edits.map(parseEdit) });

function countCommas(bytes: Uint8Array): number {
  let count = 0;
  for (let i = 0; i < bytes.length; i++) if (bytes[i] === COMMA) count++;
  return count;
}

const COMMA = 0x2c;
