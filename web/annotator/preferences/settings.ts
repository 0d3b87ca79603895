import { z } from "zod";
import { createStore } from "zustand/vanilla";
import { SIMPLIFY } from "../../../shared/constants";
import type { Metadata } from "../../../shared/entities/scalars";
import { readChanged } from "../keyboard/bindings";
import type { KeySet } from "../keyboard/keyReading";
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

/** Key in the stored preferences of all settings together, as earlier versions stored them. */
const TOGETHER = "settings";
/** Beginnings of the keys of single settings and of single commands' key combinations. */
const SETTING = "settings/";
const SHORTCUT = "shortcuts/";

/**
 * The user's settings. Each one, and the keys of each command, is a preference of its own: a tab that was opened
 * earlier, or that works on an offline copy, stores only what its user changes there.
 */
export class Settings {
  readonly store;

  constructor(
    stored: Readonly<Record<string, unknown>>,
    private readonly savePreferences: (preferences: Metadata) => void,
  ) {
    this.store = createStore<SettingsState>(() => schema.parse(joined(stored)));
  }

  get state(): SettingsState {
    return this.store.getState();
  }

  change(change: Partial<Omit<SettingsState, "shortcuts">>): void {
    const next = schema.parse({ ...this.state, ...change });
    this.store.setState(next);
    const { shortcuts: _, ...single } = next;
    this.savePreferences(
      Object.fromEntries(
        Object.entries(single).flatMap(([name, value]) => (name in change ? [[SETTING + name, value]] : [])),
      ),
    );
  }

  /** Changes the keys of commands, by command id; null returns a command to its default keys. */
  changeShortcuts(change: Readonly<Record<string, readonly KeySet[] | null>>): void {
    const entries = Object.entries({ ...this.state.shortcuts, ...change });
    this.store.setState({ shortcuts: readChanged(Object.fromEntries(entries.filter(([, sets]) => sets !== null))) });
    this.savePreferences(
      Object.fromEntries(
        Object.entries(change).map(([id, sets]) => [SHORTCUT + id, sets === null ? null : sets.map(copyOf)]),
      ),
    );
  }
}

const copyOf = (keys: KeySet): string[] => [...keys];

/** Joins the single settings of stored preferences with those that an earlier version stored together. */
function joined(stored: Readonly<Record<string, unknown>>): object {
  const together = objectIn(stored[TOGETHER]);
  const single = (start: string) =>
    Object.fromEntries(
      Object.entries(stored).flatMap(([key, value]) =>
        key.startsWith(start) ? [[key.slice(start.length), value]] : [],
      ),
    );
  const shortcuts = { ...objectIn(together.shortcuts), ...single(SHORTCUT) };
  return { ...together, ...single(SETTING), shortcuts };
}

const objectIn = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
