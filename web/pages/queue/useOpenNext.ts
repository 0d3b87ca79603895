import { t } from "@lingui/core/macro";
import { useEffect, useRef } from "react";
import { useLocation, useNavigate } from "react-router-dom";
import { isOccupied } from "../../components/isTyping";
import { showWarning, showWithAction } from "../../components/messages/toast";
import { useNextImage } from "../../queries/assignment/nextImage";
import { forgetSkipped } from "../../queries/assignment/skippedImages";
import { useSession } from "../../queries/session";
import { QUEUED } from "./queued";

/**
 * Returns a function that opens the user's next image of a dataset in the annotator, and true while it is requested. If
 * the user has turned to something else meanwhile, the image is offered instead.
 */
export function useOpenNext(datasetId: number): { openNext: () => void; isBusy: boolean } {
  const { username } = useSession().user;
  const navigate = useNavigate();
  const next = useNextImage(datasetId, username);
  /** Aborts when the page is left: its button opens nothing any more. */
  const shown = useRef<AbortController>(undefined);
  useEffect(() => {
    const here = new AbortController();
    shown.current = here;
    return () => here.abort();
  }, []);
  const { key: place } = useLocation();
  const current = useRef(place);
  useEffect(() => {
    current.current = place;
  }, [place]);
  const openNext = () => {
    const pressed = current.current;
    next.mutate(undefined, {
      onSuccess: ({ imageId, isAway, hasSkipped }) => {
        const open = () => void navigate(`/annotate/${imageId}?${QUEUED}`);
        if (imageId !== null && current.current === pressed && !isOccupied()) open();
        else if (imageId !== null)
          showWithAction(t`Next Image`, t`Your next image is ready.`, {
            label: t`Open it`,
            isUndo: false,
            until: shown.current?.signal,
            onClick: open,
          });
        else if (hasSkipped)
          showWithAction(t`Only skipped images are left`, t`You have skipped all images that are left for you.`, {
            label: t`Go on with them`,
            isUndo: false,
            until: shown.current?.signal,
            onClick: () => {
              forgetSkipped(datasetId, username);
              openNext();
            },
          });
        else if (isAway)
          showWarning(
            t`No image`,
            t`The server cannot be reached. None of the images in this browser is assigned to you and unfinished.`,
          );
        else showWarning(t`No image`, t`Nothing is left for you in this dataset.`);
      },
    });
  };
  return { openNext, isBusy: next.isPending };
}
