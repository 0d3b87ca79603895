import { t } from "@lingui/core/macro";
import { Button } from "@mantine/core";
import { Play } from "lucide-react";
import { useOpenNext } from "../../queue/useOpenNext";

/** Button that opens the next image of the user's queue in the annotator. */
export function NextImage({ datasetId }: { datasetId: number }) {
  const { openNext, isBusy } = useOpenNext(datasetId);
  return (
    <Button
      variant="default"
      fullWidth
      justify="flex-start"
      leftSection={<Play size={15} />}
      loading={isBusy}
      onClick={openNext}
    >
      {t`Work on the next image`}
    </Button>
  );
}
