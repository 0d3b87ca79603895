import type { MessageDescriptor } from "@lingui/core";
import { msg } from "@lingui/core/macro";
import { controlKey, isMac } from "../../components/platform";
import { i18n } from "../../languages/i18n";
import type { Mode } from "../state/mode";
import { type KeySet, sameKeys } from "./keyReading";

/** Groups of commands, in the order of the list of shortcuts. */
export const GROUPS = ["General", "Tools", "Annotations", "Selection", "Categories", "Labels", "View"] as const;

const GROUP_NAMES: Record<Command["group"], MessageDescriptor> = {
  General: msg`General`,
  Tools: msg`Tools`,
  Annotations: msg`Annotations`,
  Selection: msg`Selection`,
  Categories: msg`Categories`,
  Labels: msg`Labels`,
  View: msg`View`,
};

export const groupText = (group: Command["group"]): string => i18n._(GROUP_NAMES[group]);

/** Something that the user can do by key or button. */
export interface Command {
  /** Stable id, under which the user's own keys are stored. */
  id: string;
  /** Name in the list of shortcuts. */
  name: string;
  group: (typeof GROUPS)[number];
  /** Key combinations, each of which runs the command. */
  keys: readonly KeySet[];
  /** True if holding the key down runs the command repeatedly. */
  repeats?: boolean;
  /** True if the command also runs while the user types in a field or dialog. */
  whileTyping?: boolean;
  /** Returns true if the browser handles these keys itself now, so that the command does not run. */
  isLeftToBrowser?: (keys: ReadonlySet<string>) => boolean;
  run: () => void;
  /** Called when the key is released, for a command that lasts while it is held. */
  end?: () => void;
}

/** Mode in which a group's commands are available; other groups are available in every mode. */
const MODE_OF: Partial<Record<Command["group"], Mode>> = {
  Tools: "segment",
  Annotations: "segment",
  Selection: "segment",
  Categories: "segment",
  Labels: "label",
};

/** Returns true if a command is available in a mode. */
export function isFor({ group }: Command, mode: Mode): boolean {
  return (MODE_OF[group] ?? mode) === mode;
}

/** Returns true if both commands are available in the same mode. */
export function sharesMode(one: Command, other: Command): boolean {
  const [a, b] = [MODE_OF[one.group], MODE_OF[other.group]];
  return a === undefined || b === undefined || a === b;
}

/** The user's own keys, by command id, in place of the defaults. An empty list means that the command has no keys. */
export type ChangedKeys = Record<string, string[][]>;

/** Finds and runs commands by pressed keys, which must match exactly. */
export class Shortcuts {
  /** The command that lasts while its key is held. */
  private held: Command | null = null;

  constructor(
    /** Returns the commands that are available now. */
    private readonly commands: () => readonly Command[],
    private readonly changed: () => ChangedKeys = () => ({}),
  ) {}

  keysOf(command: Command): readonly KeySet[] {
    return this.changed()[command.id] ?? command.keys;
  }

  pressed(keys: ReadonlySet<string>, repeated: boolean, typing = false): boolean {
    const command = this.find(keys);
    if (!command || (typing && !command.whileTyping) || command.isLeftToBrowser?.(keys)) return false;
    if (runsOnRelease(keys) || (repeated && !command.repeats)) return true;
    this.letGo();
    if (command.end) this.held = command;
    command.run();
    return true;
  }

  /** Ends the command that lasts while its key is held. */
  letGo(): void {
    const { held } = this;
    this.held = null;
    held?.end?.();
  }

  released(keys: ReadonlySet<string>): boolean {
    const command = runsOnRelease(keys) ? this.find(keys) : undefined;
    command?.run();
    return command !== undefined;
  }

  /** Finds a command by its keys. The user's own keys take precedence over defaults. */
  private find(keys: ReadonlySet<string>): Command | undefined {
    const found = this.commands().filter((command) => this.keysOf(command).some((set) => sameKeys(set, keys)));
    return found.find(({ id }) => id in this.changed()) ?? found[0];
  }
}

/** Returns true for Space alone. Held down it pans the view, so its command runs on release. */
const runsOnRelease = (keys: ReadonlySet<string>): boolean => keys.size === 1 && keys.has(" ");

const SHOWN: Record<string, string> = {
  " ": "Space",
  arrowup: "↑",
  arrowdown: "↓",
  arrowleft: "←",
  arrowright: "→",
  escape: "Esc",
};

/** Returns keys as text for the user: "Ctrl+Shift+Z". On macOS Control is shown as Command. */
export function showKeys(keys: KeySet, mac = isMac()): string {
  return keys.map((key) => (key === "control" ? controlKey(mac) : (SHOWN[key] ?? capital(key)))).join("+");
}

/** Returns a name with its first key combination: "Undo (Ctrl+Z)". */
export function withKeys(name: string, sets: readonly KeySet[] = []): string {
  return sets[0] ? `${name} (${showKeys(sets[0])})` : name;
}

/** Returns key combinations in the format of `aria-keyshortcuts`: "Control+Z Control+Y". */
export function ariaKeys(sets: readonly KeySet[], mac = isMac()): string | undefined {
  const named = (key: string): string => {
    if (key === "control") return mac ? "Meta" : "Control";
    if (key === " ") return "Space";
    return key === "+" ? "Plus" : capital(key.replace(/^arrow./, (name) => `Arrow${name.at(-1)?.toUpperCase()}`));
  };
  return sets.map((set) => set.map(named).join("+")).join(" ") || undefined;
}

const capital = (key: string): string => key.charAt(0).toUpperCase() + key.slice(1);
