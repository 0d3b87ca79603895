import { t } from "@lingui/core/macro";
import { Button, Loader, Modal, Skeleton, Stack, Text, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useState } from "react";
import { listDatasets } from "../../../shared/api/datasets/dataset";
import { getDataset } from "../../../shared/api/datasets/datasetImages";
import { SearchSelect } from "../../components/forms/SearchSelect";
import { LoadErrorLine } from "../../components/messages/LoadError";
import { request } from "../../io/http/request";
import { useQueryState } from "../../queries/queryState";
import type { FoundImage } from "../../sync/review/findImage";

const PAUSE_MS = 300;
const SHOWN = 20;

/** Dialog to choose the image that changes belong to, by dataset and part of the file name. */
export function ChooseImage({ onChoose, onClose }: { onChoose: (image: FoundImage) => void; onClose: () => void }) {
  const [datasetId, setDatasetId] = useState<string | null>(null);
  const [part, setPart] = useState("");
  const [searched] = useDebouncedValue(part, PAUSE_MS);
  const datasets = useQueryState({
    queryKey: ["review datasets"],
    queryFn: ({ signal }) => request(listDatasets, {}, { signal }),
  });
  const images = useQueryState({
    queryKey: ["review images", datasetId, searched],
    queryFn: ({ signal }) => imagesOf(Number(datasetId), searched, signal),
    enabled: datasetId !== null,
  });
  return (
    <Modal opened onClose={onClose} title={t`Apply to another image`}>
      <Stack gap="sm">
        <SearchSelect
          label={t`Dataset`}
          data={datasets.state === "loaded" ? datasets.data.map(optionOf) : undefined}
          disabled={datasets.state !== "loaded"}
          aria-busy={datasets.state === "loading"}
          rightSection={datasets.state === "loading" ? <Loader size="xs" /> : undefined}
          value={datasetId}
          onChange={setDatasetId}
        />
        {datasets.state === "failed" && <LoadErrorLine error={datasets.error} onRetry={() => void datasets.retry()} />}
        <TextInput
          label={t`File name contains`}
          autoComplete="off"
          value={part}
          onChange={(event) => setPart(event.currentTarget.value)}
        />
        {datasetId !== null && images.state === "loading" && <Skeleton height={30} />}
        {images.state === "failed" && <LoadErrorLine error={images.error} onRetry={() => void images.retry()} />}
        {images.state === "loaded" &&
          images.data.map((image) => (
            <Button
              key={image.id}
              variant="default"
              justify="flex-start"
              // The list still shows matches of the previous text and is about to change.
              disabled={part !== searched}
              onClick={() => onChoose(image)}
            >
              {image.path} ({image.width} × {image.height})
            </Button>
          ))}
        {images.state === "loaded" && images.data.length === 0 && (
          <Text size="sm">{t`No image of this dataset has a matching name.`}</Text>
        )}
      </Stack>
    </Modal>
  );
}

const optionOf = ({ id, name }: { id: number; name: string }) => ({ value: String(id), label: name });

async function imagesOf(id: number, part: string, signal: AbortSignal): Promise<FoundImage[]> {
  const query = { limit: SHOWN, ...(part !== "" && { file_name__icontains: part }) };
  const { images, dataset } = await request(getDataset, { params: { id }, query }, { signal });
  return images.map(({ id, path, width, height }) => ({ id, path, width, height, dataset: dataset.name }));
}
