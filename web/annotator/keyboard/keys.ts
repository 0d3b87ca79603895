import { isComposing } from "../../components/isComposing";
import { isTyping } from "../../components/isTyping";
import { isModifier, nameOf, readingsOf } from "./keyReading";

/** Elements that Space and Enter press when focused. */
const PRESSABLE =
  "button, a, summary, [type=checkbox], [type=radio], [role='button'], [role='checkbox'], [role='option']";
/** Elements that arrow keys change when focused. */
const STEPPED = "[type=radio], [type=range], [role='slider'], [role='tab'], [role='menuitem'], [role='separator']";

export interface KeyListener {
  /** Handles pressed keys. `typing`: true in a field, a dialog or a menu. Returns true if they belong to a command. */
  pressed(keys: ReadonlySet<string>, repeated: boolean, typing: boolean): boolean;
  /** Handles the release of a command's keys. Not called if they were used together with the pointer or another key. */
  released(keys: ReadonlySet<string>): boolean;
  /** Called whenever a command's key is no longer down, even if it was used together with the pointer. */
  letGo(): void;
}

/**
 * Passes key presses to the listener. Modifiers are read from each event, so that a lost keyup event (other window,
 * Command on macOS) leaves no key stuck. Typing in fields and dialogs is not intercepted.
 */
export class Keys {
  /** Names of the keys that are down, by physical key: the typed character may change with Shift before the release. */
  private readonly down = new Map<string, string>();
  /** Physical keys whose press belonged to a command. */
  private readonly handled = new Set<string>();
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
    if (isComposing(event)) return;
    this.recordDown(event);
    if (event.defaultPrevented) return;
    const { target } = event;
    const typing = isTyping(event);
    if (!typing && /^(Enter| )$/.test(event.key) && matches(target, PRESSABLE)) return;
    if (/^Arrow/.test(event.key) && matches(target, STEPPED)) return;
    const isHandled = readingsOf(event).some((keys) => this.listener.pressed(new Set(keys), event.repeat, typing));
    if (isHandled) this.handled.add(codeOf(event));
    if (isHandled || (!typing && opensQuickFind(event))) event.preventDefault();
  }

  private recordDown(event: KeyboardEvent): void {
    const name = nameOf(event.key);
    if (!event.repeat) {
      if (!isModifier(name)) for (const other of this.down.values()) this.used.add(other);
      this.used.delete(name);
    }
    this.down.set(codeOf(event), name);
    this.dropReleasedModifiers(event);
  }

  private release(event: KeyboardEvent): void {
    const code = codeOf(event);
    const isHandled = this.handled.delete(code);
    this.down.delete(code);
    // macOS sends no keyup events for other keys while Command is down.
    if (event.key === "Meta") this.clear();
    const isUsed = this.used.delete(nameOf(event.key));
    if (isHandled) this.listener.letGo();
    // Otherwise the browser moves the focus to its menu.
    if (isUsed && event.key === "Alt") event.preventDefault();
    if (!isHandled || isUsed || event.defaultPrevented || isTyping(event)) return;
    readingsOf(event).some((keys) => this.listener.released(new Set(keys)));
  }

  /** Drops modifiers whose keyup event went to another window. */
  private dropReleasedModifiers(event: KeyboardEvent): void {
    for (const [code, key] of this.down) {
      if (key === "control" && !event.ctrlKey && !event.metaKey) this.down.delete(code);
      if (key === "shift" && !event.shiftKey) this.down.delete(code);
    }
  }

  private clear(): void {
    this.listener.letGo();
    this.down.clear();
    this.handled.clear();
    this.used.clear();
  }
}

/** Returns true for the keys that open Firefox's quick find, which would receive the keys that follow. */
const opensQuickFind = ({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean =>
  (key === "'" || key === "/") && !ctrlKey && !metaKey && !altKey;

const codeOf = (event: KeyboardEvent): string => event.code || nameOf(event.key);

function matches(target: EventTarget | null, selector: string): boolean {
  return target instanceof Element && target.closest(selector) !== null;
}
