import { t } from "@lingui/core/macro";
import { createStore } from "zustand/vanilla";
import { recall, remember } from "../../io/storage/localStore";

/** segment: the user draws shapes. label: the user ticks categories for the whole image. */
export type Mode = "segment" | "label";

export const modeText = (mode: Mode): string => (mode === "label" ? t`Mode: label` : t`Mode: segment`);

const KEY = "annotator/mode";
const isMode = (value: unknown): value is Mode => value === "segment" || value === "label";

/** The annotator's mode. Remembered in this browser, because users go through many images in the same mode. */
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
