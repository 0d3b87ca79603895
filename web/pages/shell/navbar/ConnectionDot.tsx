import { Tooltip } from "@mantine/core";
import classes from "./Navbar.module.css";
import { useConnection } from "./useConnection";

const TEXTS = {
  unknown: "Connection unknown",
  connected: "Connected to backend",
  disconnected: "Could not connect to backend",
} as const;

/** White, green or red: unknown, connected, disconnected. */
export function ConnectionDot() {
  const connection = useConnection();
  return (
    <Tooltip label={TEXTS[connection]}>
      <span className={classes.dot} data-connection={connection} role="status" aria-label={TEXTS[connection]} />
    </Tooltip>
  );
}
