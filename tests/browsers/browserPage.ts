export interface Place {
  x: number;
  y: number;
}

/** Keys without a character, as WebDriver names them (https://www.w3.org/TR/webdriver2/#keyboard-actions). */
export const KEYS = {
  enter: "\uE007",
  shift: "\uE008",
  control: "\uE009",
  escape: "\uE00C",
  right: "\uE014",
  down: "\uE015",
} as const;

/** A browser tab, with the functions that the walk needs. */
export interface BrowserPage {
  /** Returns the errors on the console, except those of the network. */
  errors(): Promise<readonly string[]> | readonly string[];
  goto(url: string): Promise<void>;
  reload(): Promise<void>;
  /** Evaluates an expression in the page, which may be a promise, and returns its value as JSON. */
  evaluate(expression: string): Promise<unknown>;
  /** Presses keys one after the other, while the keys in `held` are down. */
  keys(keys: readonly string[], held?: readonly string[]): Promise<void>;
  /**
   * Presses the mouse button at the first place, moves the mouse over the others and releases the button at the last.
   */
  drag(places: readonly Place[]): Promise<void>;
  close(): Promise<void> | void;
}

/**
 * Returns true for an error that the browser itself logs when the server cannot be reached: the walk stops the server
 * for a while.
 */
export const isNetworkError = (text: string): boolean =>
  /Failed to load resource|net::ERR_|can’t establish a connection|WebSocket connection to/.test(text);

/** Waits until an expression is true in the page. */
export async function until(page: BrowserPage, expression: string, seconds = 20): Promise<void> {
  const end = Date.now() + seconds * 1000;
  while (!(await page.evaluate(expression).catch(() => false))) {
    if (Date.now() > end) throw new Error(`Not true after ${seconds} s: ${expression}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** Returns WebDriver's actions for keys. */
export function keyActions(keys: readonly string[], held: readonly string[]) {
  const strokes = keys.flatMap((value) => [
    { type: "keyDown", value },
    { type: "keyUp", value },
  ]);
  const down = held.map((value) => ({ type: "keyDown", value }));
  const up = held.map((value) => ({ type: "keyUp", value }));
  return { type: "key", id: "keys", actions: [...down, ...strokes, ...up] };
}

/** Returns WebDriver's actions for a drag. */
export function dragActions(places: readonly Place[]) {
  const [first, ...rest] = places.map(({ x, y }) => ({
    type: "pointerMove",
    x: Math.round(x),
    y: Math.round(y),
    duration: 0,
  }));
  const actions = [first, { type: "pointerDown", button: 0 }, ...rest, { type: "pointerUp", button: 0 }];
  return { type: "pointer", id: "mouse", parameters: { pointerType: "mouse" }, actions };
}
