import { Button, Text } from "@mantine/core";
import { useState, useSyncExternalStore } from "react";
import { getUpdate, subscribeUpdate } from "../../io/serviceWorker";
import classes from "./Notices.module.css";

/** Lines under the navigation bar: work without the server, and a new version that waits for a press of its button. */
export function Notices({ isRemembered }: { isRemembered: boolean }) {
  const update = useSyncExternalStore(subscribeUpdate, getUpdate);
  const [isDismissed, setDismissed] = useState(false);
  return (
    <div role="status">
      {isRemembered && (
        <div className={classes.notice} data-kind="offline">
          <Text size="sm">
            Working without the server. What you draw is kept in this browser; datasets, categories, uploads and tasks
            need the network.
          </Text>
        </div>
      )}
      {update && !isDismissed && (
        <div className={classes.notice}>
          <Text size="sm">A new version is ready.</Text>
          <Button size="compact-xs" onClick={update}>
            Reload now
          </Button>
          <Button size="compact-xs" variant="subtle" color="gray" onClick={() => setDismissed(true)}>
            Later
          </Button>
        </div>
      )}
    </div>
  );
}
