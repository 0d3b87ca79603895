/**
 * Options for specs of pages with animations, as most people see them; the others run without (playwright.config.ts).
 */
export const WITH_MOTION = { contextOptions: { reducedMotion: "no-preference" } } as const;
