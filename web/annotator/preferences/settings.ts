import { z } from "zod";
import { createStore } from "zustand/vanilla";
import { SIMPLIFY } from "../../../shared/constants";
import { readChanged } from "../keyboard/bindings";

/** A user's settings of the annotator; stored beside the tools' options. Invalid values fall back to defaults. */
const schema = z.object({
  /** Largest distance of a simplified outline from the drawn one, in image pixels; 0 keeps every point. */
  simplify: z.number().min(SIMPLIFY.min).max(SIMPLIFY.max).catch(SIMPLIFY.default).default(SIMPLIFY.default),
  /** Keys that replace a command's own, by its id: sets of keys, each of which runs it. */
  shortcuts: z.unknown().default(null).transform(readChanged),
});
export type SettingsState = z.infer<typeof schema>;

/** Key of the stored preferences. */
const PREFERENCE = "settings";

export class Settings {
  readonly store;

  constructor(
    stored: Readonly<Record<string, unknown>>,
    private readonly keep: (preferences: Record<string, SettingsState>) => void,
  ) {
    const mine = stored[PREFERENCE];
    const isObject = typeof mine === "object" && mine !== null && !Array.isArray(mine);
    this.store = createStore<SettingsState>(() => schema.parse(isObject ? mine : {}));
  }

  get state(): SettingsState {
    return this.store.getState();
  }

  change(change: Partial<SettingsState>): void {
    const next = schema.parse({ ...this.state, ...change });
    this.store.setState(next);
    this.keep({ [PREFERENCE]: next });
  }
}
