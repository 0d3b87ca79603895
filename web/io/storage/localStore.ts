/** Small values stored in local storage. If storage is forbidden or full, nothing is remembered. */

const PREFIX = "limn.";

export function remember(key: string, value: unknown): void {
  try {
    localStorage.setItem(PREFIX + key, JSON.stringify(value));
  } catch {
    // Private windows and full disks: the application works without stored values.
  }
}

/** Returns a stored value if `isValid` accepts it; it may be from an older version or edited by hand. */
export function recall<T>(key: string, isValid: (value: unknown) => value is T): T | undefined {
  try {
    const text = localStorage.getItem(PREFIX + key);
    if (text === null) return undefined;
    const value: unknown = JSON.parse(text);
    return isValid(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

export function forget(key: string): void {
  try {
    localStorage.removeItem(PREFIX + key);
  } catch {
    // As above.
  }
}

/** Returns the stored keys that begin with `prefix`. */
export function rememberedKeys(prefix: string): string[] {
  try {
    return Object.keys(localStorage)
      .filter((key) => key.startsWith(PREFIX + prefix))
      .map((key) => key.slice(PREFIX.length));
  } catch {
    return [];
  }
}

export const isNumber = (value: unknown): value is number => typeof value === "number" && Number.isFinite(value);
export const isText = (value: unknown): value is string => typeof value === "string";
