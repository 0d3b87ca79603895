import { createTheme } from "@mantine/core";

const closable = { closeButtonProps: { "aria-label": "Close" } };
const styles = { title: { fontWeight: 600 } };

/** One look in light and dark: small controls, square corners, a quiet green for what acts. */
export const theme = createTheme({
  primaryColor: "teal",
  primaryShade: { light: 8, dark: 8 },
  defaultRadius: "sm",
  cursorType: "pointer",
  autoContrast: true,
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif',
  headings: { fontWeight: "600", sizes: { h1: { fontSize: "1.25rem" }, h2: { fontSize: "1.05rem" } } },
  components: {
    // Plain objects: naming the components themselves would load each of them with the first page.
    Button: { defaultProps: { size: "xs" } },
    Modal: { defaultProps: { centered: true, radius: "md", ...closable }, styles },
    Drawer: { defaultProps: closable, styles },
    Tooltip: { defaultProps: { openDelay: 400, events: { hover: true, focus: true, touch: false } } },
  },
});
