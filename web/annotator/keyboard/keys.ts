import { isTyping } from "../../components/isTyping";
import { isModifier, nameOf, readingsOf } from "./keyReading";

/** Elements that Space and Enter press when focused. */
const PRESSABLE =
  "button, a, summary, [type=checkbox], [type=radio], [role='button'], [role='checkbox'], [role='option']";
/** Elements that arrow keys change when focused. */
const STEPPED = "[type=radio], [type=range], [role='slider'], [role='tab'], [role='menuitem'], [role='separator']";

export interface KeyListener {
  /** Keys have been pressed together, `typing` in a field, a dialog or a menu. Returns true if they meant something. */
  pressed(keys: ReadonlySet<string>, repeated: boolean, typing: boolean): boolean;
  /** Keys that meant something have been released, without having been used with the pointer or another key. */
  released(keys: ReadonlySet<string>): boolean;
}

/**
 * Handles key presses. Each press is read for itself, with the modifiers that the browser names, so that a
 * key-up that was lost (another window, Command on macOS) leaves nothing stuck. Typing in fields and in dialogs is left
 * alone.
 */
export class Keys {
  /** By physical key, because what a key types changes with Shift between press and release. */
  private readonly down = new Map<string, string>();
  /** Physical keys whose press meant something. */
  private readonly meant = new Set<string>();
  private readonly used = new Set<string>();
  private readonly listening = new AbortController();

  constructor(
    private readonly listener: KeyListener,
    /** Target of key events: the window. */
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
    if (event.isComposing) return;
    this.hold(event);
    if (event.defaultPrevented) return;
    const { target } = event;
    const typing = isTyping(event);
    if (!typing && /^(Enter| )$/.test(event.key) && matches(target, PRESSABLE)) return;
    if (/^Arrow/.test(event.key) && matches(target, STEPPED)) return;
    const isMeant = readingsOf(event).some((keys) => this.listener.pressed(new Set(keys), event.repeat, typing));
    if (!isMeant) return;
    this.meant.add(codeOf(event));
    event.preventDefault();
  }

  private hold(event: KeyboardEvent): void {
    const name = nameOf(event.key);
    if (!event.repeat) {
      if (!isModifier(name)) for (const held of this.down.values()) this.used.add(held);
      this.used.delete(name);
    }
    this.down.set(codeOf(event), name);
    this.dropModifiersThatAreUp(event);
  }

  private release(event: KeyboardEvent): void {
    const code = codeOf(event);
    const isMeant = this.meant.delete(code);
    this.down.delete(code);
    // macOS tells no key-up of other keys while Command is down.
    if (event.key === "Meta") this.clear();
    const isUsed = this.used.delete(nameOf(event.key));
    if (!isMeant || isUsed || event.defaultPrevented || isTyping(event)) return;
    readingsOf(event).some((keys) => this.listener.released(new Set(keys)));
  }

  /** A modifier whose key-up went to another window. */
  private dropModifiersThatAreUp(event: KeyboardEvent): void {
    for (const [code, key] of this.down) {
      if (key === "control" && !event.ctrlKey && !event.metaKey) this.down.delete(code);
      if (key === "shift" && !event.shiftKey) this.down.delete(code);
    }
  }

  private clear(): void {
    this.down.clear();
    this.meant.clear();
    this.used.clear();
  }
}

const codeOf = (event: KeyboardEvent): string => event.code || nameOf(event.key);

function matches(target: EventTarget | null, selector: string): boolean {
  return target instanceof Element && target.closest(selector) !== null;
}
