import { type CSSVariablesResolver, createTheme } from "@mantine/core";

const closable = { closeButtonProps: { "aria-label": "Close" } };
/** A dialog's head is no banner of the page. */
const attributes = { header: { role: "presentation" } };
const styles = { title: { fontWeight: 600 } };

/**
 * The listbox itself scrolls: a scrolling box within it could not be reached by keyboard. Of thousands of options the first
 * are drawn, and what is typed narrows them.
 */
const listbox = {
  defaultProps: { withScrollArea: false, limit: 200 },
  styles: { options: { maxHeight: 220, overflowY: "auto" } },
} as const;

/** One look in light and dark: small controls, square corners, a quiet green for what acts. */
export const theme = createTheme({
  primaryColor: "teal",
  primaryShade: 9,
  defaultRadius: "sm",
  cursorType: "pointer",
  respectReducedMotion: true,
  autoContrast: true,
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif',
  headings: { fontWeight: "600", sizes: { h1: { fontSize: "1.25rem" }, h2: { fontSize: "1.05rem" } } },
  components: {
    // Plain objects: naming the components themselves would load each of them with the first page.
    Button: { defaultProps: { size: "xs" } },
    Modal: { defaultProps: { centered: true, radius: "md", attributes, ...closable }, styles },
    Select: listbox,
    MultiSelect: listbox,
    TagsInput: listbox,
    Autocomplete: listbox,
    // A menu has entries alone in it, so that the first of them takes the focus.
    Menu: { defaultProps: { withInitialFocusPlaceholder: false } },
    ColorPicker: { defaultProps: { saturationLabel: "Saturation and brightness", hueLabel: "Hue" } },
    ColorInput: { defaultProps: { eyeDropperButtonProps: { "aria-label": "Eyedropper" } } },
    Drawer: { defaultProps: closable, styles },
    Tooltip: { defaultProps: { openDelay: 400, events: { hover: true, focus: true, touch: false } } },
  },
});

/** Under the pointer a filled button gets darker: lighter, its white words would have a contrast of 3.9 to 1. */
const filledHover = { "--mantine-color-teal-filled-hover": "#066b4d" };

/** Quiet texts and errors that can still be read: contrast of at least 4.5 to 1 on every ground we put them on. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    ...filledHover,
    "--mantine-color-dimmed": "#5c646c",
    "--mantine-color-placeholder": "#697179",
    "--mantine-color-error": "var(--mantine-color-red-9)",
  },
  dark: {
    ...filledHover,
    "--mantine-color-dimmed": "#a3a3a3",
    "--mantine-color-placeholder": "#9c9c9c",
    "--mantine-color-error": "var(--mantine-color-red-4)",
    // With a dark primary shade Mantine takes nearly white here, and what deletes looks like anything else.
    "--mantine-color-red-light-color": "var(--mantine-color-red-4)",
  },
});
