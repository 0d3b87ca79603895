import { t } from "@lingui/core/macro";
import { type CSSVariablesResolver, createTheme } from "@mantine/core";
import { filterOptions } from "./components/forms/filterOptions";

const closable = () => ({ closeButtonProps: { "aria-label": t`Close` } });
/** A dialog's header is not a banner landmark. */
const attributes = { header: { role: "presentation" } };
const styles = { title: { fontWeight: 600 } };
/** Line height that grows with the text. Mantine's is fixed, at 16 to 24 px. */
const label = { label: { lineHeight: 1.4 } };

/**
 * The listbox itself scrolls, because a scroll area inside it could not be reached by keyboard. Only the first 200
 * options are rendered; typing narrows the list.
 */
const listbox = {
  defaultProps: { withScrollArea: false, limit: 200, filter: filterOptions },
  styles: { options: { maxHeight: 220, overflowY: "auto" } },
} as const;

/**
 * Returns the Mantine theme for light and dark, with labels in the language of the page: small controls, nearly square
 * corners, muted teal for primary actions.
 */
export const makeTheme = () =>
  createTheme({
    primaryColor: "teal",
    primaryShade: 9,
    defaultRadius: "sm",
    cursorType: "pointer",
    respectReducedMotion: true,
    autoContrast: true,
    fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif',
    headings: { fontWeight: "600", sizes: { h1: { fontSize: "1.25rem" }, h2: { fontSize: "1.05rem" } } },
    components: {
      // Plain objects, because importing the components here would load all of them with the first page.
      Button: { defaultProps: { size: "xs" } },
      Modal: { defaultProps: { centered: true, radius: "md", attributes, ...closable() }, styles },
      Switch: { styles: label },
      Checkbox: { styles: label },
      Select: listbox,
      MultiSelect: listbox,
      TagsInput: listbox,
      Autocomplete: listbox,
      // Without the placeholder, the first menu item gets the focus.
      Menu: { defaultProps: { withInitialFocusPlaceholder: false } },
      ColorPicker: { defaultProps: { saturationLabel: t`Saturation and brightness`, hueLabel: t`Hue` } },
      ColorInput: { defaultProps: { eyeDropperButtonProps: { "aria-label": t`Eyedropper` } } },
      Drawer: { defaultProps: closable(), styles },
      Tooltip: { defaultProps: { openDelay: 400, events: { hover: true, focus: true, touch: false } } },
    },
  });

/**
 * Filled buttons darken on hover. Mantine would lighten them, and white text would have a contrast of only 3.9 to 1.
 */
const filledHover = { "--mantine-color-teal-filled-hover": "#066b4d" };

/**
 * Colours of dimmed texts, placeholders and errors, with a contrast of at least 4.5 to 1 on every background in use.
 */
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
    // With a dark primary shade, Mantine uses nearly white here, and delete buttons would look like all others.
    "--mantine-color-red-light-color": "var(--mantine-color-red-4)",
  },
});
