import { z } from "zod";
import { createStore } from "zustand/vanilla";
import { SHAPE_OPACITY } from "../../../shared/constants";
import { recall, remember } from "../../io/storage/localStore";

/** Per cent of the image as it is. */
export const IMAGE_PERCENT = { min: 20, max: 300, default: 100, step: 10 } as const;
/** Alpha of the fill of shapes. */
export const FILL_ALPHA = { min: 0.05, max: 1, default: SHAPE_OPACITY, step: 0.05 } as const;

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
 * Look of the image and the shapes: brightness and contrast in per cent, the fill's opacity from 0 to 1. For the
 * eye alone, nothing of it is stored with the image. Kept in this browser, as screens differ.
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

  /** By so many steps up or down. */
  step(what: keyof ViewLook, by: 1 | -1): void {
    const { step } = what === "opacity" ? FILL_ALPHA : IMAGE_PERCENT;
    this.change({ [what]: Math.round((this.state[what] + by * step) * 100) / 100 });
  }

  reset(): void {
    this.change(usual);
  }
}

const usual: ViewLook = schema.parse({});

/** The CSS filter that shows an image so; "none" where it is shown as it is. */
export function filterOf({ brightness, contrast }: ViewLook): string {
  if (brightness === usual.brightness && contrast === usual.contrast) return "none";
  return `brightness(${brightness}%) contrast(${contrast}%)`;
}
