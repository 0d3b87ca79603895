import { z } from "zod";
import { createStore } from "zustand/vanilla";
import { SHAPE_OPACITY } from "../../../shared/constants";
import { recall, remember } from "../../io/storage/localStore";

/** Range of brightness and contrast, in per cent of the original image. */
export const IMAGE_PERCENT = { min: 20, max: 300, default: 100, step: 10 } as const;
/** Range of the opacity of fills. */
export const FILL_ALPHA = { min: 0.05, max: 1, default: SHAPE_OPACITY, step: 0.05 } as const;

/**
 * Returns the opacity with which areas are filled, 0 to 1. The outline of a shape shows where it is, so its fill is
 * much lighter at the usual opacity: 28 % of 60 %, and all of 100 %.
 */
export const fillAlpha = (opacity: number): number => opacity ** 2.5;

const bounded = ({ min, max, default: usual }: { min: number; max: number; default: number }) =>
  z
    .number()
    .transform((value) => Math.min(Math.max(value, min), max))
    .catch(usual)
    .default(usual);

const schema = z.object({
  brightness: bounded(IMAGE_PERCENT),
  contrast: bounded(IMAGE_PERCENT),
  opacity: bounded(FILL_ALPHA),
});
export type ViewLook = z.infer<typeof schema>;

const KEY = "annotator/view";
const isObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * Display settings: brightness and contrast in per cent, opacity of fills from 0 to 1. They affect only the display and
 * are remembered in this browser, because screens differ.
 */
export class ViewSettings {
  readonly store = createStore<ViewLook>(() => schema.parse(recall(KEY, isObject) ?? {}));

  get state(): ViewLook {
    return this.store.getState();
  }

  get isUsual(): boolean {
    const { brightness, contrast, opacity } = this.state;
    return brightness === usual.brightness && contrast === usual.contrast && opacity === usual.opacity;
  }

  change(change: Partial<ViewLook>): void {
    this.store.setState(schema.parse({ ...this.state, ...change }));
    remember(KEY, this.state);
  }

  /** Changes a setting by one step. */
  step(what: keyof ViewLook, by: 1 | -1): void {
    const { step } = what === "opacity" ? FILL_ALPHA : IMAGE_PERCENT;
    this.change({ [what]: Math.round((this.state[what] + by * step) * 100) / 100 });
  }

  reset(): void {
    this.change(usual);
  }
}

const usual: ViewLook = schema.parse({});

/** Returns the CSS filter for brightness and contrast; "none" if both have their defaults. */
export function filterOf({ brightness, contrast }: ViewLook): string {
  if (brightness === usual.brightness && contrast === usual.contrast) return "none";
  return `brightness(${brightness}%) contrast(${contrast}%)`;
}
