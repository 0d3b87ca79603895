import { Button, Group, Modal, NumberInput, Stack, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { GENERATE_LIMIT } from "../../../shared/constants";
import { useSubmitOnce } from "../../components/useSubmitOnce";
import { useGenerate } from "../../queries/dataset";

const MAX_LIMIT = 1000;

/** Searches pictures by a keyword and adds them to the dataset. */
export function GenerateDialog({ datasetId, onClose }: { datasetId: number; onClose: () => void }) {
  const [keyword, setKeyword] = useState("");
  const [limit, setLimit] = useState<string | number>(GENERATE_LIMIT);
  const start = useGenerate(datasetId);
  const submit = useSubmitOnce(start);
  const isValid = keyword.trim() !== "" && Number(limit) >= 1;
  const handleSubmit = (event: React.FormEvent) => {
    event.preventDefault();
    if (isValid) submit({ keywords: keyword.trim(), limit: Number(limit) }, onClose);
  };
  return (
    <Modal opened onClose={onClose} title="Generate images">
      <form onSubmit={handleSubmit}>
        <Stack gap="md">
          <Text size="sm" c="dimmed">
            Openly licensed pictures are searched on the internet and added to a folder named after the keyword. Each
            keeps its license, creator and source in its metadata.
          </Text>
          <TextInput
            label="Keyword"
            withAsterisk
            data-autofocus
            maxLength={200}
            value={keyword}
            onChange={(event) => setKeyword(event.currentTarget.value)}
          />
          <NumberInput
            label="Limit"
            description="Pictures at most"
            value={limit}
            onChange={setLimit}
            min={1}
            max={MAX_LIMIT}
            allowDecimal={false}
          />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" disabled={!isValid} loading={start.isPending}>
              Generate
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
