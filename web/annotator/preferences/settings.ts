import { z } from "zod";
import { createStore } from "zustand/vanilla";
import { SIMPLIFY } from "../../../shared/constants";
import { readChanged } from "../keyboard/bindings";
import { isListOrder, type ListOrder } from "../state/listOrder";

/** The user's settings of the annotator, stored with the tools' options. Invalid values fall back to defaults. */
const schema = z.object({
  /** Maximum distance between the simplified and the drawn outline, in image pixels; 0 keeps every point. */
  simplify: z.number().min(SIMPLIFY.min).max(SIMPLIFY.max).catch(SIMPLIFY.default).default(SIMPLIFY.default),
  /** Order of the annotations of a category in the list. */
  listOrder: z.custom<ListOrder>(isListOrder).catch("oldest").default("oldest"),
  /** The user's own key combinations, by command id, in place of the defaults. */
  shortcuts: z.unknown().default(null).transform(readChanged),
});
export type SettingsState = z.infer<typeof schema>;

/** Key of the settings in the stored preferences. */
const PREFERENCE = "settings";

export class Settings {
  readonly store;

  constructor(
    stored: Readonly<Record<string, unknown>>,
    private readonly savePreferences: (preferences: Record<string, SettingsState>) => void,
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
    this.savePreferences({ [PREFERENCE]: next });
  }
}
