import type { Edit, EditAnswer } from "../../../shared/edits/edit";
import type { Annotation } from "../../../shared/entities/annotation";
import { placeOf } from "../../sync/journal/place";
import type { AnnotatorDocument } from "../document/document";
import type { EditSink } from "../document/ports";
import { HeldCreations } from "./heldCreations";

/** Time without pending edits after which missing acknowledgements are no longer expected, in milliseconds. */
const QUIET_MS = 1000;

interface Refreshing {
  /** Fetches the changes of other users. */
  catchUp: () => void;
  /** Reloads the image's data. */
  reload: () => Promise<void>;
}

/**
 * Connects the document to the journal: records its edits, except those of annotations that are still empty, and
 * applies the server's acknowledgements. Catches up if an acknowledgement shows that another user has changed the same
 * subject, and reloads if acknowledgements are missing. Returns a function that disconnects them.
 */
export function journalEdits(document: AnnotatorDocument, sink: EditSink, { catchUp, reload }: Refreshing): () => void {
  const responses: EditAnswer[] = [];
  const held = new HeldCreations(document);
  const stops = [
    document.listen((change) => {
      if (change.origin === "remote") return;
      const edits = held.release(change.edits);
      if (edits.length > 0) void recordEdits(document, edits, sink);
    }),
    // Acknowledgements arrive by the hundred, so those of one batch are applied together.
    sink.onAnswer((_, response) => {
      if (responses.push(response) > 1) return;
      queueMicrotask(() => {
        const state = document.acknowledge(responses.splice(0));
        if (state === "behind") catchUp();
        if (state === "outdated") void reload();
      });
    }),
    watchQuiet(sink, () => document.clearPendingEdits((edit) => held.has(edit)) && void reload()),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}

/** Records edits that were applied to the document. Resolves when they are stored in this browser. */
export function recordEdits(
  document: AnnotatorDocument,
  edits: readonly Edit[],
  sink: Pick<EditSink, "record">,
): Promise<void> {
  const wholes = wholesOf(edits, document);
  return sink.record(edits, wholes, placeOf(document.state, edits, wholes));
}

/** Returns the annotations that edits change, as the user sees them now. Deleted ones are left out. */
function wholesOf(edits: readonly Edit[], document: AnnotatorDocument): Map<string, Annotation> {
  const targets = edits.flatMap((edit) =>
    edit.subject === "annotation" && edit.action !== "delete" ? [edit.target] : [],
  );
  const annotations = targets.map((target) => document.annotation(target)).filter((each) => each !== null);
  return new Map(annotations.map((annotation) => [annotation.uuid, annotation]));
}

/** Calls `onQuiet` when no edits have been pending for a while. Returns a function that stops watching. */
function watchQuiet({ state }: EditSink, onQuiet: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = state.subscribe(({ pending, writing, phase }) => {
    clearTimeout(timer);
    if (pending === 0 && writing === 0 && phase === "idle") timer = setTimeout(onQuiet, QUIET_MS);
  });
  return () => {
    clearTimeout(timer);
    stop();
  };
}
