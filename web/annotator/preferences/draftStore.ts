import { z } from "zod";
import { commentFields, MAX_COMMENT } from "../../../shared/entities/comment";
import type { Owner } from "../../io/journal/journalName";
import { recall, remember } from "../../io/storage/localStore";

const draft = z.object({
  text: z.string().max(MAX_COMMENT),
  /** Place of the thread that the text would begin. */
  place: commentFields.pick({ x: true, y: true, annotation: true, box: true }).optional(),
});

/** An unsent text of a comment. */
export type Draft = z.infer<typeof draft>;

/** Storage for the unsent comments of the open image, by key. */
export interface DraftStore {
  all: () => ReadonlyMap<string, Draft>;
  set: (key: string, draft: Draft | null) => void;
}

/** Number of drafts that are kept; the oldest ones are dropped. */
const MOST = 50;

const entries = z.array(draft.extend({ image: z.number(), key: z.string() }));
type Entries = z.infer<typeof entries>;
const isEntries = (value: unknown): value is Entries => entries.safeParse(value).success;

/** Returns the storage for a user's unsent comments on an image of an installation, in this browser. */
export function draftStore({ installation, userId }: Owner, image: number): DraftStore {
  const name = `annotator/drafts/${installation ?? "-"}/${userId}`;
  const stored = () => recall(name, isEntries) ?? [];
  return {
    all: () =>
      new Map(
        stored().flatMap(({ image: of, key, ...rest }): [string, Draft][] => (of === image ? [[key, rest]] : [])),
      ),
    set: (key, given) => {
      const others = stored().filter((entry) => entry.image !== image || entry.key !== key);
      remember(name, given ? [{ image, key, ...given }, ...others].slice(0, MOST) : others);
    },
  };
}
