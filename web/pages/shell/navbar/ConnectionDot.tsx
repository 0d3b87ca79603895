import { Tooltip } from "@mantine/core";
import classes from "./Navbar.module.css";
import { useConnection } from "./useConnection";

const TEXTS = {
  unknown: "Connection unknown",
  connected: "Connected to backend",
  disconnected: "Could not connect to backend",
} as const;

/** Connection indicator: white if unknown, green if connected, red if disconnected. */
export function ConnectionDot() {
  const connection = useConnection();
  return (
    <Tooltip label={TEXTS[connection]}>
      <span className={classes.dot} data-connection={connection} role="status" aria-label={TEXTS[connection]} />
    </Tooltip>
  );
}
