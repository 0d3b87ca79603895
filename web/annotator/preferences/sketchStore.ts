import { z } from "zod";
import { MAX_COORDINATES } from "../../../shared/constants";
import type { Ring } from "../../../shared/entities/shape";
import type { Owner } from "../../io/journal/journalName";
import { recall, remember } from "../../io/storage/localStore";

/** An unfinished polygon, and what it is drawn for. */
export interface Sketch {
  /** Its points in image pixels. */
  ring: Ring;
  /** Uuid of the annotation that it will be added to. It may not exist yet when the page is loaded again. */
  annotation: string;
  /** Id of that annotation's category. */
  category: number;
}

/** Storage for the open image's unfinished polygon. */
export interface SketchStore {
  get: () => Sketch | null;
  set: (sketch: Sketch | null) => void;
}

/** Number of images whose unfinished polygon is kept; the oldest ones are dropped. */
const MAX_IMAGES = 20;

const entries = z.array(
  z.object({
    image: z.number(),
    ring: z.array(z.number()).min(2).max(MAX_COORDINATES),
    annotation: z.uuid(),
    category: z.number(),
  }),
);
type Entries = z.infer<typeof entries>;
const isEntries = (value: unknown): value is Entries => entries.safeParse(value).success;

/** Returns the storage for a user's unfinished polygon on an image of an installation, in this browser. */
export function sketchStore({ installation, userId }: Owner, image: number): SketchStore {
  const key = `annotator/sketches/${installation ?? "-"}/${userId}`;
  const all = () => recall(key, isEntries) ?? [];
  return {
    get: (): Sketch | null => all().find((entry) => entry.image === image) ?? null,
    set: (sketch) => {
      const others = all().filter((entry) => entry.image !== image);
      remember(key, sketch ? [{ image, ...sketch }, ...others].slice(0, MAX_IMAGES) : others);
    },
  };
}
