import { createStore } from "zustand/vanilla";
import { recall, remember } from "../../io/storage/localStore";

/** segment: shapes are drawn. label: categories are ticked for the image as a whole. */
export type Mode = "segment" | "label";

const KEY = "annotator/mode";
const isMode = (value: unknown): value is Mode => value === "segment" || value === "label";

/** The annotator's mode. Kept in this browser, as one goes through many images in one mode. */
export class ModeSwitch {
  readonly store = createStore<{ mode: Mode }>(() => ({ mode: recall(KEY, isMode) ?? "segment" }));

  get mode(): Mode {
    return this.store.getState().mode;
  }

  toggle(): void {
    const mode: Mode = this.mode === "segment" ? "label" : "segment";
    this.store.setState({ mode });
    remember(KEY, mode);
  }
}
