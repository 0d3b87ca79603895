/** What a key or a button does, by a name that does not change. */
export interface Command {
  id: string;
  /** As the list of shortcuts shows it. */
  name: string;
  group: "General" | "Tools" | "Annotations";
  /** Sets of keys, each of which runs the command. */
  keys: readonly (readonly string[])[];
  /** On release: for keys that mean something else while they are held. */
  onRelease?: boolean;
  /** Holding the key down runs it again and again. */
  repeats?: boolean;
  run: () => void;
}

/** Finds commands by the set of keys that is down: it must be exactly the command's. */
export class Shortcuts {
  constructor(private readonly commands: () => readonly Command[]) {}

  pressed(keys: ReadonlySet<string>, repeated: boolean): boolean {
    const command = this.find(keys);
    if (!command) return false;
    if (!command.onRelease && (!repeated || command.repeats)) command.run();
    return true;
  }

  released(keys: ReadonlySet<string>): void {
    const command = this.find(keys);
    if (command?.onRelease) command.run();
  }

  private find(keys: ReadonlySet<string>): Command | undefined {
    return this.commands().find((command) => command.keys.some((set) => equal(set, keys)));
  }
}

function equal(wanted: readonly string[], keys: ReadonlySet<string>): boolean {
  return wanted.length === keys.size && wanted.every((key) => keys.has(key));
}

const SHOWN: Record<string, string> = {
  " ": "Space",
  control: "Ctrl",
  arrowup: "↑",
  arrowdown: "↓",
  arrowleft: "←",
  arrowright: "→",
  escape: "Esc",
};

/** A set of keys as people write it: "Ctrl+Shift+Z". On macOS Control is Command. */
export function showKeys(keys: readonly string[], mac = /Mac|iPhone|iPad/.test(navigator.userAgent)): string {
  return keys.map((key) => (key === "control" && mac ? "⌘" : (SHOWN[key] ?? capital(key)))).join("+");
}

const capital = (key: string): string => key.charAt(0).toUpperCase() + key.slice(1);
