/** True on macOS and iOS, where Command takes the place of Control. */
export const isMac = (): boolean => /Mac|iPhone|iPad/.test(globalThis.navigator?.userAgent ?? "");

/** Returns the key that commands are entered with, as it is written on the keyboard. */
export const controlKey = (mac = isMac()): string => (mac ? "⌘" : "Ctrl");
