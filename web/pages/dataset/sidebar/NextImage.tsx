import { t } from "@lingui/core/macro";
import { Button } from "@mantine/core";
import { Play } from "lucide-react";
import { useNavigate } from "react-router-dom";
import { showWarning } from "../../../components/messages/toast";
import { useSession } from "../../../queries/session";
import { useNextImage } from "../../../queries/work/nextImage";
import { QUEUED } from "../../common/queued";
import { annotatorPath } from "../images/card/annotatorPath";

/** Button that opens the next image of the user's queue in the annotator. */
export function NextImage({ datasetId }: { datasetId: number }) {
  const { username } = useSession().user;
  const navigate = useNavigate();
  const next = useNextImage(datasetId, username);
  const handleClick = () =>
    next.mutate(undefined, {
      onSuccess: ({ imageId, isAway }) => {
        if (imageId !== null) void navigate(annotatorPath(imageId, QUEUED));
        else if (isAway)
          showWarning(
            t`No image`,
            t`The server cannot be reached. None of the images in this browser is assigned to you and unfinished.`,
          );
        else showWarning(t`No image`, t`Nothing is left for you in this dataset.`);
      },
    });
  return (
    <Button
      fullWidth
      justify="flex-start"
      leftSection={<Play size={15} />}
      loading={next.isPending}
      onClick={handleClick}
    >
      {t`Work on the next image`}
    </Button>
  );
}
