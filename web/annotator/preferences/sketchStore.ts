import { z } from "zod";
import { MAX_COORDINATES } from "../../../shared/constants";
import type { Ring } from "../../../shared/entities/shape";
import type { Owner } from "../../io/journal/journalName";
import { recall, remember } from "../../io/storage/localStore";

const sketchTool = z.enum(["Polygon", "Scissors", "DEXTR", "Line"]);

/** An unfinished outline, with its tool and its annotation. */
export interface Sketch {
  /** The tool that draws the outline. */
  tool: z.infer<typeof sketchTool>;
  /** The outline's points, in image pixels. */
  ring: Ring;
  /** Number of points before each gesture; undo removes a gesture. */
  starts: number[];
  /** Uuid of the annotation that the outline will be added to, which may not exist when the page is loaded again. */
  annotation: string;
  /** Id of that annotation's category. */
  category: number;
}

/** Storage for the open image's unfinished outline. */
export interface SketchStore {
  get: () => Sketch | null;
  set: (sketch: Sketch | null) => void;
}

/** Number of images whose unfinished outline is kept; the oldest ones are dropped. */
const MAX_IMAGES = 20;

/**
 * Entries of earlier versions, which kept only polygons, have no tool and no gestures: each point then counts as a
 * gesture.
 */
const entries = z.array(
  z.object({
    tool: sketchTool.optional(),
    starts: z.array(z.number()).optional(),
    image: z.number(),
    ring: z.array(z.number()).min(2).max(MAX_COORDINATES),
    annotation: z.uuid(),
    category: z.number(),
  }),
);
type Entries = z.infer<typeof entries>;
const isEntries = (value: unknown): value is Entries => entries.safeParse(value).success;

/** Returns the storage for a user's unfinished outline on an image of an installation, in this browser. */
export function sketchStore({ installation, userId }: Owner, image: number): SketchStore {
  const key = `annotator/sketches/${installation ?? "-"}/${userId}`;
  const all = () => recall(key, isEntries) ?? [];
  return {
    get: () => {
      const entry = all().find((each) => each.image === image);
      if (!entry) return null;
      const { ring, annotation, category, tool = "Polygon", starts = everyPoint(ring) } = entry;
      return { ring, annotation, category, tool, starts };
    },
    set: (sketch) => {
      const others = all().filter((entry) => entry.image !== image);
      remember(key, sketch ? [{ image, ...sketch }, ...others].slice(0, MAX_IMAGES) : others);
    },
  };
}

const everyPoint = (ring: Ring): number[] => Array.from({ length: ring.length >> 1 }, (_, i) => i);
