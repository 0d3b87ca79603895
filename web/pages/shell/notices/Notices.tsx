import { plural, t } from "@lingui/core/macro";
import { Button, Text } from "@mantine/core";
import { useEffect, useState, useSyncExternalStore } from "react";
import { Link, useLocation } from "react-router-dom";
import { getUpdate, subscribeUpdate } from "../../../io/serviceWorker";
import { useSession } from "../../../queries/session";
import { useCopies } from "../../offline/useCopies";
import { useReview } from "../../review/useReview";
import { ConflictNotice } from "./ConflictNotice";
import { NewVersion } from "./NewVersion";
import classes from "./Notices.module.css";
import { useAppBadge } from "./useAppBadge";
import { useSentToast } from "./useSentToast";

/** Notices below the navigation bar: changes that need a review, conflicts, and a new version. */
export function Notices() {
  const { pathname } = useLocation();
  const update = useSyncExternalStore(subscribeUpdate, getUpdate);
  const [isDismissed, setDismissed] = useState(false);
  const review = useReview(useSession());
  const waiting = review.state === "loaded" ? review.changes : 0;
  const copies = useCopies();
  const isDownloading = copies.state === "loaded" && copies.datasets.some(({ state }) => state === "running");
  useEffect(preload, []);
  useSentToast();
  useAppBadge();
  // Over the image, because it would move under the pointer.
  const isFloating = pathname.startsWith("/annotate/");
  return (
    <div className={isFloating ? classes.floating : undefined}>
      {waiting > 0 && pathname !== "/review" && (
        <div className={classes.notice} data-kind="review">
          <Text size="sm">
            {plural(waiting, {
              one: "# change you made on another installation needs your review.",
              other: "# changes you made on another installation need your review.",
            })}
          </Text>
          <Button component={Link} to="/review" size="compact-xs">
            {t`Review`}
          </Button>
        </div>
      )}
      <ConflictNotice isHidden={pathname === "/conflicts" || isFloating} />
      {update && !isDismissed && (
        <NewVersion isDownloading={isDownloading} onReload={update} onLater={() => setDismissed(true)} />
      )}
    </div>
  );
}

/** Loads code that is needed while the server is away, unless a service worker has cached it. */
function preload(): void {
  if (navigator.serviceWorker?.controller) return;
  for (const loading of [import("../../offline/OfflineDialog"), import("../navbar/LogoutQuestion")])
    void loading.catch(() => undefined);
}
