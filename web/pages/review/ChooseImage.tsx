import { Button, Modal, Select, Stack, Text, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { getDataset, listDatasets } from "../../../shared/api/dataset";
import { messageOf } from "../../components/toast";
import { request } from "../../io/request";
import type { FoundImage } from "../../sync/review/findImage";

const PAUSE_MS = 300;
const SHOWN = 20;

/** Asks for the image to which changes belong: its dataset, then a part of its name. */
export function ChooseImage({ onChoose, onClose }: { onChoose: (image: FoundImage) => void; onClose: () => void }) {
  const [datasetId, setDatasetId] = useState<string | null>(null);
  const [part, setPart] = useState("");
  const [asked] = useDebouncedValue(part, PAUSE_MS);
  const datasets = useQuery({
    queryKey: ["review datasets"],
    queryFn: ({ signal }) => request(listDatasets, {}, { signal }),
  });
  const images = useQuery({
    queryKey: ["review images", datasetId, asked],
    queryFn: ({ signal }) => imagesOf(Number(datasetId), asked, signal),
    enabled: datasetId !== null,
  });
  const error = datasets.error ?? images.error;
  return (
    <Modal opened onClose={onClose} title="Apply to another image">
      <Stack gap="sm">
        <Select
          label="Dataset"
          searchable
          data={(datasets.data ?? []).map(({ id, name }) => ({ value: String(id), label: name }))}
          value={datasetId}
          onChange={setDatasetId}
        />
        <TextInput
          label="File name contains"
          autoComplete="off"
          value={part}
          onChange={(event) => setPart(event.currentTarget.value)}
        />
        {error && <Text size="sm">{messageOf(error)}</Text>}
        {images.data?.map((image) => (
          <Button key={image.id} variant="default" justify="flex-start" onClick={() => onChoose(image)}>
            {image.path} ({image.width} × {image.height})
          </Button>
        ))}
        {images.data?.length === 0 && <Text size="sm">No image of this dataset has such a name.</Text>}
      </Stack>
    </Modal>
  );
}

async function imagesOf(id: number, part: string, signal: AbortSignal): Promise<FoundImage[]> {
  const query = { limit: SHOWN, ...(part !== "" && { file_name__icontains: part }) };
  const { images, dataset } = await request(getDataset, { params: { id }, query }, { signal });
  return images.map(({ id, path, width, height }) => ({ id, path, width, height, dataset: dataset.name }));
}
