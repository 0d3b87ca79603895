import { z } from "zod";
import { createStore } from "zustand/vanilla";
import { recall, remember } from "../../io/storage/localStore";

const flag = (missing: boolean) => z.boolean().catch(missing).default(missing);

const schema = z.object({
  /** Lines through the pointer, across the whole canvas. */
  crosshair: flag(false),
  /** Lines between the image's pixels at high zoom. */
  pixelGrid: flag(true),
  /** Shapes without fills. */
  outlineOnly: flag(false),
  /** Small copy of the whole image while only a part is in view. */
  miniMap: flag(true),
  /** Thumbnails of the list below the image. */
  filmStrip: flag(true),
  /** Names of the categories on shapes. */
  names: flag(false),
  /** Numbers on shapes of categories that have several. */
  numbers: flag(true),
  /** Keys of commands on the buttons of the toolbar. */
  keys: flag(false),
  /** Pointers and selections of other users. */
  others: flag(true),
  /** Points move to the borders of other shapes nearby. */
  snap: flag(false),
});
export type ViewFlags = z.infer<typeof schema>;

const KEY = "annotator/viewToggles";
const isObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Parts of the display that the user can turn on and off. Remembered in this browser, because screens differ. */
export class ViewToggles {
  readonly store = createStore<ViewFlags>(() => schema.parse(recall(KEY, isObject) ?? {}));

  get state(): ViewFlags {
    return this.store.getState();
  }

  /** Turns a part on or off. Returns true if it is now on. */
  toggle(what: keyof ViewFlags): boolean {
    this.store.setState({ [what]: !this.state[what] });
    remember(KEY, this.state);
    return this.state[what];
  }
}
