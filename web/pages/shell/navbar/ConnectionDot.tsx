import { msg } from "@lingui/core/macro";
import { Tooltip } from "@mantine/core";
import { i18n } from "../../../languages/i18n";
import classes from "./Navbar.module.css";
import { useConnection } from "./useConnection";

const TEXTS = {
  unknown: msg`Connection unknown`,
  connected: msg`Connected to backend`,
  disconnected: msg`Could not connect to backend`,
} as const;

/** Connection indicator: white if unknown, green if connected, red if disconnected. */
export function ConnectionDot() {
  const connection = useConnection();
  const text = i18n._(TEXTS[connection]);
  return (
    <Tooltip label={text}>
      <span className={classes.dot} data-connection={connection} role="status" aria-label={text} />
    </Tooltip>
  );
}
