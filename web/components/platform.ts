/** Returns true on macOS and iOS, where Command takes the place of Control. */
export const isMac = (): boolean => /Mac|iPhone|iPad/.test(globalThis.navigator?.userAgent ?? "");

/** Returns the modifier key of shortcuts as keyboards label it: ⌘ or Ctrl. */
export const controlKey = (mac = isMac()): string => (mac ? "⌘" : "Ctrl");
