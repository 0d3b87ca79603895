import { Button, Group, Stack } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useState } from "react";
import type { DatasetCard } from "../../../shared/entities/dataset";
import { TagField } from "../../components/TagField";
import { usePossibleMembers, useShareDataset } from "../../queries/datasets";

/** Names are asked for when the typing pauses. */
const TYPING_MS = 200;

interface Props {
  dataset: DatasetCard;
  onClose: () => void;
}

export function ShareDatasetForm({ dataset, onClose }: Props) {
  const [users, setUsers] = useState(dataset.users);
  const [typed, setTyped] = useState("");
  const { data: names = [] } = usePossibleMembers(dataset.id, useDebouncedValue(typed.trim(), TYPING_MS)[0]);
  const share = useShareDataset(dataset.id);
  const handleSubmit = (event: React.FormEvent) => {
    event.preventDefault();
    share.mutate(users, { onSuccess: onClose });
  };
  return (
    <form onSubmit={handleSubmit}>
      <Stack gap="md">
        <TagField
          label="Users"
          description="They can open, annotate and import. Only owners export, share and delete."
          value={users}
          onChange={setUsers}
          suggestions={names}
          onSearch={setTyped}
          placeholder="Add a username"
        />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={share.isPending}>
            Share
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
