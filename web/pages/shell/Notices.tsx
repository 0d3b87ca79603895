import { Button, Text } from "@mantine/core";
import { useState, useSyncExternalStore } from "react";
import { Link, useLocation } from "react-router-dom";
import { getUpdate, subscribeUpdate } from "../../io/serviceWorker";
import { NewVersion } from "./NewVersion";
import classes from "./Notices.module.css";

/**
 * Notices below the navigation bar: offline work, changes that need a review, and a new version. `waiting` is the
 * number of changes that the user made on another installation.
 */
export function Notices({ isRemembered, waiting }: { isRemembered: boolean; waiting: number }) {
  const isReviewing = useLocation().pathname === "/review";
  const update = useSyncExternalStore(subscribeUpdate, getUpdate);
  const [isDismissed, setDismissed] = useState(false);
  return (
    <div role="status">
      {isRemembered && (
        <div className={classes.notice} data-kind="offline">
          <Text size="sm">
            Working offline. What you draw is saved in this browser; datasets, categories, uploads and tasks need the
            server.
          </Text>
        </div>
      )}
      {waiting > 0 && !isReviewing && (
        <div className={classes.notice} data-kind="review">
          <Text size="sm">
            {waiting === 1 ? "1 change you" : `${waiting} changes you`} made on another installation{" "}
            {waiting === 1 ? "needs" : "need"} your review.
          </Text>
          <Button component={Link} to="/review" size="compact-xs">
            Review
          </Button>
        </div>
      )}
      {update && !isDismissed && <NewVersion onReload={update} onLater={() => setDismissed(true)} />}
    </div>
  );
}
