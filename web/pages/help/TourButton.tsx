import { t } from "@lingui/core/macro";
import { Button } from "@mantine/core";
import { Footprints } from "lucide-react";
import { useState } from "react";
import { useNavigate } from "react-router-dom";
import { getDatasets } from "../../../shared/api/datasets/dataset";
import { startTour } from "../../annotator/state/tour";
import { useStillOpen } from "../../components/forms/useStillOpen";
import { showError, showWarning } from "../../components/messages/toast";
import { request } from "../../io/http/request";
import { type Session, useSession } from "../../queries/session";
import { lastOpened } from "../offline/lastOpened";

/** Button that starts the tour of the annotator on the image opened last, or else on the first image of a dataset. */
export function TourButton() {
  const session = useSession();
  const navigate = useNavigate();
  const [isBusy, setBusy] = useState(false);
  const isStillOpen = useStillOpen();
  const handleClick = async () => {
    setBusy(true);
    try {
      const address = await imageFor(session);
      // The user has gone on to another page.
      if (!isStillOpen()) return;
      if (!address) return showWarning(t`Tour`, t`There is no image yet. Try the demo on the Datasets page.`);
      startTour();
      void navigate(address);
    } catch (error) {
      if (isStillOpen()) showError(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button
      variant="default"
      size="xs"
      leftSection={<Footprints size={14} />}
      loading={isBusy}
      onClick={() => void handleClick()}
    >
      {t`Tour of the annotator`}
    </Button>
  );
}

/** Returns the address of an image; undefined if there is none. */
async function imageFor(session: Session): Promise<string | undefined> {
  const last = lastOpened("annotate", session);
  if (last.startsWith("/annotate/")) return last;
  const { datasets } = await request(getDatasets, { query: { page: 1 } });
  const first = datasets.find(({ first_image_id: id }) => id !== null)?.first_image_id;
  return first ? `/annotate/${first}` : undefined;
}
