import { t } from "@lingui/core/macro";
import { createStore } from "zustand/vanilla";
import type { Edit } from "../../../shared/edits/edit";
import { isNumber, isText, recall, remember } from "../../io/storage/localStore";

/** Number of images whose locked annotations are remembered; the oldest ones are dropped. */
const MAX_IMAGES = 50;
const KEY = "annotator/locked";

/** Message to a user who tries to change locked annotations. */
export const lockedText = () => t`Locked. Shift + L unlocks the selected annotations.`;

/** Message to a user who may not change the dataset. */
export const readOnlyText = () => t`You can look at this dataset but not change it.`;

type Entry = [image: number, uuids: string[]];
const isEntry = (value: unknown): value is Entry =>
  Array.isArray(value) && isNumber(value[0]) && Array.isArray(value[1]) && value[1].every(isText);
const areEntries = (value: unknown): value is Entry[] => Array.isArray(value) && value.every(isEntry);

/**
 * The annotations that the user has locked against changes. Locks exist only in this browser, which remembers them by
 * image. Locked annotations cannot be hit on the image, and edits of them are refused.
 */
export class Locks {
  readonly store;

  constructor(private readonly imageId: number) {
    const known = recall(KEY, areEntries)?.find(([image]) => image === imageId)?.[1] ?? [];
    this.store = createStore<{ locked: ReadonlySet<string> }>(() => ({ locked: new Set(known) }));
  }

  get locked(): ReadonlySet<string> {
    return this.store.getState().locked;
  }

  isLocked(uuid: string): boolean {
    return this.locked.has(uuid);
  }

  /** Locks annotations, or unlocks them. */
  set(uuids: Iterable<string>, isLocked: boolean): void {
    const locked = new Set(this.locked);
    for (const uuid of uuids) {
      if (isLocked) locked.add(uuid);
      else locked.delete(uuid);
    }
    this.store.setState({ locked });
    const others = (recall(KEY, areEntries) ?? []).filter(([image]) => image !== this.imageId);
    const own: Entry[] = locked.size > 0 ? [[this.imageId, [...locked]]] : [];
    remember(KEY, [...own, ...others].slice(0, MAX_IMAGES));
  }

  /** Returns true if an edit changes or deletes a locked annotation. */
  forbids(edit: Edit): boolean {
    return edit.subject === "annotation" && edit.action !== "create" && this.locked.has(edit.target);
  }
}
