import type { AnnotatorScene } from "../../../shared/api/annotator";
import type { Edit } from "../../../shared/edits/edit";
import type { SystemClipboard } from "../../io/clipboard";
import type { Dextr } from "../../io/dextr/dextr";
import type { Compute } from "../../io/workers/workers";
import type { LastPropagation } from "../clipboard/Propagated";
import type { EditSink, ImageList, ImageQueue, Notify } from "../document/ports";
import type { DraftStore } from "../preferences/draftStore";
import type { SketchStore } from "../preferences/sketchStore";
import type { Availability } from "../sync/availability";
import type { CarriedTool } from "../tools/carriedTool";

/** Data, services and callbacks that an editor is created with. */
export interface EditorParts {
  scene: AnnotatorScene;
  /** Edits of this image that the server has not acknowledged yet. */
  pendingEdits: readonly Edit[];
  sink: EditSink;
  /** The user's unfinished outline on this image. */
  sketches: SketchStore;
  /** The user's unsent comments on this image. */
  drafts: DraftStore;
  compute: Omit<Compute, "close">;
  /** DEXTR, shared by all images of the page. */
  dextr: Dextr;
  notify: Notify;
  /** Loads another image's scene, with this user's pending edits. Rejects if it cannot be loaded. */
  loadScene: (imageId: number, signal?: AbortSignal) => Promise<AnnotatorScene>;
  /** The list of images that previous and next follow. */
  list: ImageList;
  /** The queue that the image came from, if it did. */
  queue?: ImageQueue | undefined;
  /** The last propagation, shared by all images of the page. */
  lastPropagation: LastPropagation;
  /** The tool of the image that was open before, and of this one when it is left. */
  carriedTool: CarriedTool;
  /** The system clipboard. */
  clipboard: SystemClipboard;
  /** The user's name, stored as the creator of new annotations; null if login is disabled. */
  username: string | null;
  /** Opens another image, and selects the annotation with this uuid there. */
  goTo: (imageId: number, annotation?: string) => void;
  /** Target of key events: the window. */
  keyboard: EventTarget;
  /** Availability of the image. */
  availability: Availability;
  /** Reloads the image's data and replaces the document with it. */
  reload: () => Promise<void>;
  /** Fetches the changes of other users. */
  catchUp: () => void;
}
