import type { AnnotatorScene } from "../../../shared/api/annotator";
import { runsOf } from "../../../shared/coco/rle";
import { traceRuns } from "../../../shared/coco/trace";
import type { Edit, EditAnswer, WorkSession } from "../../../shared/edits/edit";
import type { Annotation } from "../../../shared/entities/annotation";
import type { ImageSummary } from "../../../shared/entities/image";
import type { Metadata } from "../../../shared/entities/scalars";
import { combine } from "../../../shared/geometry/combine";
import { mergeShapes } from "../../../shared/geometry/operations/merge";
import { smoothRings } from "../../../shared/geometry/operations/smooth";
import { splitShape } from "../../../shared/geometry/operations/split";
import { simplifyRings } from "../../../shared/geometry/simplify";
import { paint } from "../../../shared/geometry/stroke";
import { LiveWire } from "../../../shared/scissors/liveWire";
import { MagicWand } from "../../../shared/wand/magicWand";
import type { Pixels } from "../../../shared/wand/pixels";
import type { PointerInput } from "../../../web/annotator/canvas/view/pointer";
import { LastPropagation } from "../../../web/annotator/clipboard/Propagated";
import type { EditSink, ImageQueue, NotificationAction } from "../../../web/annotator/document/ports";
import { Editor } from "../../../web/annotator/editor/editor";
import type { EditorParts } from "../../../web/annotator/editor/editorParts";
import type { Draft } from "../../../web/annotator/preferences/draftStore";
import type { Sketch } from "../../../web/annotator/preferences/sketchStore";
import { Availability } from "../../../web/annotator/sync/availability";
import { CarriedTool } from "../../../web/annotator/tools/carriedTool";
import type { ToolName } from "../../../web/annotator/tools/common/tool";
import type { Scissors } from "../../../web/io/workers/scissors";
import { LatestWand, type Wand } from "../../../web/io/workers/wand";
import { newSyncState } from "../../../web/sync/journal/syncState";
import { TestDextr } from "./testDextr";

/** An editor without a page, operated as by a user, who chooses tools, clicks, drags and presses keys. */
export class TestEditor {
  readonly editor: Editor;
  readonly recorded: Edit[] = [];
  readonly preferences: Metadata[] = [];
  readonly sessions: WorkSession[] = [];
  /** Target of key and pointer events. */
  readonly window = new EventTarget();
  /** Titles of the messages shown to the user. */
  readonly toastTitles: string[] = [];
  /** The same messages in full. */
  readonly messages: string[] = [];
  /** Buttons shown with the messages. */
  readonly actions: NotificationAction[] = [];
  readonly wentTo: number[] = [];
  /** Text on the system clipboard. */
  clipboard = "";
  /** Scenes of other images, by id. */
  readonly scenes = new Map<number, AnnotatorScene>();
  /** The list of images, with the open one first. */
  listed: ImageSummary[] = [];
  readonly dextr = new TestDextr();
  /** The kept unfinished outline. */
  sketch: Sketch | null = null;
  /** Number of requested catch-ups. */
  caughtUp = 0;
  /** Number of requested reloads. */
  reloaded = 0;
  private readonly answers = new Set<(edit: Edit, answer: EditAnswer) => void>();

  constructor(
    scene: AnnotatorScene = sceneOf(),
    pendingEdits: readonly Edit[] = [],
    image: Pixels = WHITE_IMAGE,
    readonly lastPropagation = new LastPropagation(),
    queue?: ImageQueue,
    /** Unsent comments by key. */
    readonly drafts = new Map<string, Draft>(),
    /** Saving and updates; by default the edits are kept in `recorded`. */
    server?: Pick<EditorParts, "sink" | "reload" | "catchUp" | "username">,
  ) {
    this.editor = new Editor({
      scene,
      pendingEdits,
      sink: this.sink(),
      sketches: { get: () => this.sketch, set: (sketch) => (this.sketch = sketch) },
      drafts: {
        all: () => this.drafts,
        set: (key, draft) => void (draft ? this.drafts.set(key, draft) : this.drafts.delete(key)),
      },
      compute: {
        trace: async (rle) => traceRuns(runsOf(rle), rle.size[1], rle.size[0]),
        unite: async (a, b) => combine("unite", a, b),
        subtract: async (a, b) => combine("subtract", a, b),
        merge: async (polygons) => mergeShapes([polygons]),
        split: async (shape, line) => splitShape(shape, line),
        smooth: async (rings, tolerance) => smoothRings(rings, tolerance),
        simplify: async (rings, tolerance) => simplifyRings(rings, tolerance),
        paint: async (shape, stroke, options) => paint(shape, stroke, options),
        wand: () => wandOver(image),
        scissors: () => scissorsOver(image),
      },
      dextr: this.dextr,
      notify: (kind, title, message, action) => {
        this.toastTitles.push(title);
        if (action) this.actions.push(action);
        this.messages.push(`${kind}: ${message}`);
      },
      clipboard: {
        write: async (text) => {
          this.clipboard = text;
          return true;
        },
        read: async () => this.clipboard,
      },
      loadScene: async (id) => {
        const other = this.scenes.get(id);
        if (!other) throw new Error("No image has this ID, or you have no access to it.");
        return other;
      },
      list: {
        place: async () => ({ before: 0, total: this.listed.length }),
        read: async (offset, limit) => this.listed.slice(offset, offset + limit),
      },
      queue,
      lastPropagation: this.lastPropagation,
      carriedTool: new CarriedTool(),
      username: "ada",
      availability: new Availability(async () => true),
      goTo: (id) => this.wentTo.push(id),
      keyboard: this.window,
      reload: async () => void this.reloaded++,
      catchUp: () => void this.caughtUp++,
      ...server,
    });
    // One CSS pixel is one image pixel, so that places in tests read as image pixels.
    this.editor.view.store.setState({ zoom: 1, x: 0, y: 0 });
  }

  get annotations(): Annotation[] {
    return [...this.editor.document.state.annotations.values()];
  }

  get selected(): Annotation | null {
    return this.editor.document.annotation(this.editor.selection.state.annotation);
  }

  get toolState(): string {
    return this.editor.toolbox.machine.state;
  }

  choose(tool: ToolName): this {
    this.editor.creating.chooseTool(tool);
    return this;
  }

  move(x: number, y: number): this {
    this.editor.pointer.move(at(x, y));
    return this;
  }

  click(x: number, y: number, how: Partial<PointerInput> = {}): this {
    const input = { ...at(x, y), ...how };
    this.editor.pointer.move({ ...input, clicks: 0 });
    if (this.editor.pointer.down(input)) this.editor.pointer.up(input);
    else this.editor.pointer.click(input);
    return this;
  }

  clicks(...points: (readonly [number, number])[]): this {
    for (const [x, y] of points) this.click(x, y);
    return this;
  }

  /** Presses at the first place, moves over the others and releases at the last. */
  drag(...points: (readonly [number, number])[]): this {
    const [first, ...rest] = points.map(([x, y]) => at(x, y));
    const taken = this.editor.pointer.down(first!);
    for (const point of rest) if (taken) this.editor.pointer.move(point);
    if (taken) this.editor.pointer.up(rest.at(-1) ?? first!);
    return this;
  }

  press(...keys: string[]): this {
    this.editor.shortcuts.pressed(new Set(keys), false);
    this.editor.shortcuts.released(new Set(keys));
    return this;
  }

  /** Unions resolve asynchronously, even if they are computed at once. */
  async settled(): Promise<this> {
    await new Promise((resolve) => setTimeout(resolve, 0));
    return this;
  }

  /** Holds back later gestures, as a long computation does, until the returned function is called. */
  holdBack(): () => Promise<void> {
    const { drawing } = this.editor;
    let release = () => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    void drawing.enqueue(() => released, null);
    return async () => {
      release();
      await drawing.settled();
    };
  }

  /** Applies the server's response to an edit. */
  respond(edit: Edit, answer: Omit<EditAnswer, "uuid">): void {
    for (const listener of this.answers) listener(edit, { uuid: edit.uuid, ...answer });
  }

  private sink(): EditSink {
    return {
      client: "test-page",
      state: newSyncState(),
      record: async (edits) => void this.recorded.push(...edits),
      recordPreferences: async (preferences) => void this.preferences.push(preferences),
      recordSession: async (session) => void this.sessions.push(session),
      flush: async () => undefined,
      resolve: async () => undefined,
      onAnswer: (listener) => {
        this.answers.add(listener);
        return () => this.answers.delete(listener);
      },
    };
  }
}

const WHITE_IMAGE: Pixels = { width: 640, height: 480, colors: new Uint32Array(640 * 480).fill(0xffffffff) };

/** The real scissors over pixels in memory, without the worker. */
function scissorsOver(image: Pixels): Scissors {
  const wire = new LiveWire(image);
  return {
    follow: async (from, to, reach, detail) =>
      from ? wire.line(from, to, reach, detail) : [...wire.place(...to, reach)],
    prepare: () => undefined,
    close: () => undefined,
  };
}

/** The real wand over pixels in memory, without the worker. */
function wandOver(image: Pixels): Wand {
  const wand = new MagicWand(image);
  return new LatestWand(
    async (...given) => wand.grow(...given),
    () => undefined,
  );
}

export const at = (x: number, y: number): PointerInput => ({
  image: { x, y },
  screen: { x, y },
  shift: false,
  alt: false,
  control: false,
  kind: "mouse",
  clicks: 1,
});

export const SQUARE = [100, 100, 200, 100, 200, 200, 100, 200];

export const uuidOf = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`;

export function annotationOf(n: number, fields: Partial<Annotation> = {}): Annotation {
  return {
    uuid: uuidOf(n),
    id: n,
    image_id: 7,
    category_id: 1,
    revision: 3,
    rings: [[SQUARE]],
    rle: null,
    isbbox: false,
    iscrowd: false,
    color: "#ff0000",
    metadata: {},
    attributes: {},
    keypoints: null,
    area: 10000,
    bbox: [100, 100, 100, 100],
    creator: "ann",
    ...fields,
  };
}

/** An image of 640 by 480 with a category "cat", which has the annotations, and a category "dog". */
export function sceneOf(annotations: Annotation[] = [], change: Partial<AnnotatorScene> = {}): AnnotatorScene {
  return {
    image: {
      id: 7,
      dataset_id: 1,
      file_name: "a.jpg",
      path: "a.jpg",
      width: 640,
      height: 480,
      annotating: [],
      annotated: true,
      num_annotations: annotations.length,
      done: false,
      stage: "open",
      returned_by: null,
      returned_at: null,
      category_ids: [],
      labels: [],
      metadata: {},
      revision: 5,
      milliseconds: 0,
      previous: 6,
      next: 8,
      next_not_annotated: 9,
    },
    dataset: {
      id: 1,
      name: "d",
      directory: "/datasets/d/",
      owner: "ann",
      users: [],
      members: [],
      categories: [1, 2],
      annotate_url: "",
      default_annotation_metadata: {},
      review: false,
      queue_order: "list",
      queue_assigned_only: false,
    },
    preferences: {},
    permissions: {
      dataset: {
        owner: true,
        edit: true,
        review: true,
        manage: true,
        share: true,
        generate: true,
        delete: true,
        download: true,
      },
      image: { delete: true, download: true },
    },
    time_ms: 1,
    categories: [categoryOf(1, "cat", annotations), categoryOf(2, "dog", [])],
    ...change,
  };
}

function categoryOf(id: number, name: string, annotations: Annotation[]): AnnotatorScene["categories"][number] {
  return {
    id,
    name,
    supercategory: "",
    color: "#00ff00",
    metadata: {},
    creator: "ann",
    keypoint_labels: [],
    keypoint_edges: [],
    keypoint_colors: [],
    keypoint_label_ids: [],
    attributes: [],
    revision: 1,
    permissions: { edit: true, delete: true },
    annotations,
  };
}
