/** Where typing means text, not commands. */
const TYPING = "input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]";
/** Where Space and Enter press what has the focus. */
const PRESSABLE =
  "button, a, summary, [type=checkbox], [type=radio], [role='button'], [role='checkbox'], [role='option']";

export interface KeyListener {
  /** The keys that are down, with the newest. Answers whether they meant something. */
  pressed(keys: ReadonlySet<string>, repeated: boolean): boolean;
  /** Keys that were down alone and have been released, without having been used with the pointer. */
  released(keys: ReadonlySet<string>): void;
}

/**
 * The set of keys that are down, by what they type ("a", "control", "arrowup", " "). Typing in fields and in dialogs is
 * left alone. Leaving the window forgets all, as key-ups are lost then. Command counts as Control.
 */
export class Keys {
  /** By physical key, because what a key types changes with Shift between press and release. */
  private readonly down = new Map<string, string>();
  private readonly used = new Set<string>();
  private readonly listening = new AbortController();

  constructor(
    private readonly listener: KeyListener,
    /** Where key events arrive: the window. */
    target: EventTarget,
  ) {
    const { signal } = this.listening;
    target.addEventListener("keydown", (event) => this.press(event as KeyboardEvent), { signal });
    target.addEventListener("keyup", (event) => this.release(event as KeyboardEvent), { signal });
    target.addEventListener("blur", () => this.clear(), { signal });
  }

  isDown(key: string): boolean {
    return [...this.down.values()].includes(key);
  }

  use(key: string): void {
    this.used.add(key);
  }

  remove(): void {
    this.listening.abort();
    this.clear();
  }

  private press(event: KeyboardEvent): void {
    const key = nameOf(event.key);
    if (event.isComposing) return;
    this.down.set(event.code || key, key);
    this.dropModifiersThatAreUp(event);
    if (isTyping(event) || event.altKey) return;
    if ((key === " " || key === "enter") && matches(event.target, PRESSABLE)) return;
    if (this.listener.pressed(this.keys(), event.repeat)) event.preventDefault();
  }

  private release(event: KeyboardEvent): void {
    const key = nameOf(event.key);
    const before = this.keys();
    this.down.delete(event.code || key);
    // macOS tells no key-up of other keys while Command is down.
    if (event.key === "Meta") this.down.clear();
    const wasUsed = this.used.delete(key);
    if (wasUsed || isTyping(event) || matches(event.target, PRESSABLE)) return;
    this.listener.released(before);
  }

  /** A modifier whose key-up went to another window. */
  private dropModifiersThatAreUp(event: KeyboardEvent): void {
    for (const [code, key] of this.down) {
      if (key === "control" && !event.ctrlKey && !event.metaKey) this.down.delete(code);
      if (key === "shift" && !event.shiftKey) this.down.delete(code);
    }
  }

  /** Shift is part of what a character key types, so it counts only with letters and named keys. */
  private keys(): ReadonlySet<string> {
    const keys = new Set(this.down.values());
    const symbol = [...keys].some((key) => key.length === 1 && !/[a-z ]/.test(key));
    if (symbol) keys.delete("shift");
    return keys;
  }

  private clear(): void {
    this.down.clear();
    this.used.clear();
  }
}

function nameOf(key: string): string {
  return key === "Meta" ? "control" : key.toLowerCase();
}

function isTyping(event: KeyboardEvent): boolean {
  return matches(event.target, TYPING) || document.querySelector("[role='dialog'][aria-modal='true']") !== null;
}

function matches(target: EventTarget | null, selector: string): boolean {
  return target instanceof Element && target.closest(selector) !== null;
}
