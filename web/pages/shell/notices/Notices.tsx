import { Button, Text } from "@mantine/core";
import { useEffect, useState, useSyncExternalStore } from "react";
import { Link, useLocation } from "react-router-dom";
import { getUpdate, subscribeUpdate } from "../../../io/serviceWorker";
import { useCopies } from "../../offline/useCopies";
import { ConflictNotice } from "./ConflictNotice";
import { NewVersion } from "./NewVersion";
import classes from "./Notices.module.css";
import { useAppBadge } from "./useAppBadge";
import { useSentToast } from "./useSentToast";

export interface NoticesProps {
  /** Number of changes that the user made on another installation. */
  waiting: number;
}

/** Notices below the navigation bar: changes that need a review, conflicts, and a new version. */
export function Notices({ waiting }: NoticesProps) {
  const { pathname } = useLocation();
  const update = useSyncExternalStore(subscribeUpdate, getUpdate);
  const [isDismissed, setDismissed] = useState(false);
  const copies = useCopies();
  const isDownloading = copies.state === "loaded" && copies.datasets.some(({ state }) => state === "running");
  useEffect(preload, []);
  useSentToast();
  useAppBadge();
  return (
    <>
      {waiting > 0 && pathname !== "/review" && (
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
      <ConflictNotice isHidden={pathname === "/conflicts" || pathname.startsWith("/annotate/")} />
      {update && !isDismissed && (
        <NewVersion isDownloading={isDownloading} onReload={update} onLater={() => setDismissed(true)} />
      )}
    </>
  );
}

/** Loads what is used while the server is away. Pages without a service worker could not load it then. */
function preload(): void {
  for (const loading of [import("../../offline/OfflineDialog"), import("../navbar/LogoutQuestion")])
    void loading.catch(() => undefined);
}
