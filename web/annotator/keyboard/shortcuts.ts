import type { Mode } from "../state/mode";
import { type KeySet, sameKeys } from "./keyReading";

/** In the order of the list of shortcuts. */
export const GROUPS = ["General", "Tools", "Annotations", "Categories", "Labels", "View"] as const;

/** A command of a key or button, by a name that does not change. */
export interface Command {
  id: string;
  /** As the list of shortcuts shows it. */
  name: string;
  group: (typeof GROUPS)[number];
  /** Sets of keys, each of which runs the command. */
  keys: readonly KeySet[];
  /** Holding the key down runs it again and again. */
  repeats?: boolean;
  /** Also in a field or a dialog, where other keys are text. */
  whileTyping?: boolean;
  run: () => void;
}

/** In which mode the commands of a group can be given; the others in every mode. */
const MODE_OF: Partial<Record<Command["group"], Mode>> = {
  Tools: "segment",
  Annotations: "segment",
  Categories: "segment",
  Labels: "label",
};

export function isFor({ group }: Command, mode: Mode): boolean {
  return (MODE_OF[group] ?? mode) === mode;
}

/** Returns true if some mode allows both. */
export function sharesMode(one: Command, other: Command): boolean {
  const [a, b] = [MODE_OF[one.group], MODE_OF[other.group]];
  return a === undefined || b === undefined || a === b;
}

/** Keys that the person has given to commands in place of their own, by the command's id; none is a decision, too. */
export type ChangedKeys = Record<string, string[][]>;

/** Finds commands by the keys that are pressed: they must be exactly the command's. */
export class Shortcuts {
  constructor(
    /** Those that can be given at present. */
    private readonly commands: () => readonly Command[],
    private readonly changed: () => ChangedKeys = () => ({}),
  ) {}

  keysOf(command: Command): readonly KeySet[] {
    return this.changed()[command.id] ?? command.keys;
  }

  pressed(keys: ReadonlySet<string>, repeated: boolean, typing = false): boolean {
    const command = this.find(keys);
    if (!command || (typing && !command.whileTyping)) return false;
    if (!waits(keys) && (!repeated || command.repeats)) command.run();
    return true;
  }

  released(keys: ReadonlySet<string>): boolean {
    const command = waits(keys) ? this.find(keys) : undefined;
    command?.run();
    return command !== undefined;
  }

  /** Finds a command by its keys: the user's own keys go before defaults. */
  private find(keys: ReadonlySet<string>): Command | undefined {
    const found = this.commands().filter((command) => this.keysOf(command).some((set) => sameKeys(set, keys)));
    return found.find(({ id }) => id in this.changed()) ?? found[0];
  }
}

/** Held down, Space moves the view: alone it means something only when it is released. */
const waits = (keys: ReadonlySet<string>): boolean => keys.size === 1 && keys.has(" ");

const SHOWN: Record<string, string> = {
  " ": "Space",
  control: "Ctrl",
  arrowup: "↑",
  arrowdown: "↓",
  arrowleft: "←",
  arrowright: "→",
  escape: "Esc",
};

const isMac = (): boolean => /Mac|iPhone|iPad/.test(navigator.userAgent);

/** A set of keys as people write it: "Ctrl+Shift+Z". On macOS Control is Command. */
export function showKeys(keys: KeySet, mac = isMac()): string {
  return keys.map((key) => (key === "control" && mac ? "⌘" : (SHOWN[key] ?? capital(key)))).join("+");
}

/** A name with the first of its keys: "Undo (Ctrl+Z)". */
export function withKeys(name: string, sets: readonly KeySet[] = []): string {
  return sets[0] ? `${name} (${showKeys(sets[0])})` : name;
}

/** Sets of keys as `aria-keyshortcuts` wants them: "Control+Z Control+Y". */
export function ariaKeys(sets: readonly KeySet[], mac = isMac()): string | undefined {
  const named = (key: string): string => {
    if (key === "control") return mac ? "Meta" : "Control";
    if (key === " ") return "Space";
    return key === "+" ? "Plus" : capital(key.replace(/^arrow./, (name) => `Arrow${name.at(-1)?.toUpperCase()}`));
  };
  return sets.map((set) => set.map(named).join("+")).join(" ") || undefined;
}

const capital = (key: string): string => key.charAt(0).toUpperCase() + key.slice(1);
