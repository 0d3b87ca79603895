import { t } from "@lingui/core/macro";
import { Button, Group, Stack } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useState } from "react";
import { same } from "../../../../shared/edits/same";
import { FormFields } from "../../../components/forms/FormFields";
import { useFormValues } from "../../../components/forms/FormModal";
import { useSubmitOnce } from "../../../components/forms/useSubmitOnce";
import { showSuccess } from "../../../components/messages/toast";
import { TagField } from "../../../components/tags/TagField";
import { usePossibleMembers, useShareDataset } from "../../../queries/datasets";
import type { ManagedDataset } from "./managedDataset";

/** Pause in typing after which suggestions are requested, in milliseconds. */
const TYPING_MS = 200;

interface Props {
  dataset: ManagedDataset;
  opened: boolean;
  onClose: () => void;
}

export function ShareDatasetForm({ dataset, opened, onClose }: Props) {
  const [before] = useState(dataset.users);
  const [users, setUsers] = useState(before);
  const [typed, setTyped] = useState("");
  useFormValues({ users, typed });
  const names = usePossibleMembers(dataset.id, useDebouncedValue(typed.trim(), TYPING_MS)[0]);
  const share = useShareDataset(dataset.id);
  const submit = useSubmitOnce(share, opened);
  const handleSubmit = (event: React.FormEvent) => {
    event.preventDefault();
    const { name } = dataset;
    if (same(before, users)) return onClose();
    submit({ before, after: users }, onClose, () => showSuccess(t`Share ${name}`, t`The members were changed.`));
  };
  return (
    <form onSubmit={handleSubmit}>
      <Stack gap="md">
        <FormFields isSent={share.isPending} gap="md">
          <TagField
            label={t`Users`}
            description={t`They can open the dataset, annotate and import. Only the owner can export, share and delete it.`}
            value={users}
            onChange={setUsers}
            suggestions={names}
            onSearch={setTyped}
            placeholder={t`Add a username`}
          />
        </FormFields>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            {t`Cancel`}
          </Button>
          <Button type="submit" loading={share.isPending}>
            {t`Share`}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
