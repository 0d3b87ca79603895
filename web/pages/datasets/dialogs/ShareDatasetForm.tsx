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
import { roleIn, type Sharing, usePossibleMembers, useShareDataset } from "../../../queries/datasets";
import type { ManagedDataset } from "./managedDataset";
import { RoleFields } from "./RoleFields";

/** Pause in typing after which suggestions are requested, in milliseconds. */
const TYPING_MS = 200;

interface Props {
  dataset: ManagedDataset;
  opened: boolean;
  onClose: () => void;
}

export function ShareDatasetForm({ dataset, opened, onClose }: Props) {
  const [before] = useState<Sharing>(() => ({
    users: dataset.users,
    roles: Object.fromEntries(dataset.members.map(({ username, role }) => [username.toLowerCase(), role])),
  }));
  const [users, setUsers] = useState(before.users);
  const [roles, setRoles] = useState(before.roles);
  const [typed, setTyped] = useState("");
  useFormValues({ users, roles, typed });
  const names = usePossibleMembers(dataset.id, useDebouncedValue(typed.trim(), TYPING_MS)[0]);
  const share = useShareDataset(dataset.id);
  const submit = useSubmitOnce(share, opened);
  const handleSubmit = (event: React.FormEvent) => {
    event.preventDefault();
    const { name } = dataset;
    const after = { users, roles };
    if (same(before, after)) return onClose();
    submit({ before, after }, onClose, () => showSuccess(t`Share ${name}`, t`The members were changed.`));
  };
  return (
    <form onSubmit={handleSubmit}>
      <Stack gap="md">
        <FormFields isSent={share.isPending} gap="md">
          <TagField
            label={t`Users`}
            description={t`They can open the dataset. Their roles decide what else they can do.`}
            value={[...users]}
            onChange={setUsers}
            suggestions={names}
            onSearch={setTyped}
            placeholder={t`Add a username`}
          />
          <RoleFields
            sharing={{ users, roles }}
            maintainers={before.users
              .filter((name) => roleIn(before, name) === "maintainer")
              .map((name) => name.toLowerCase())}
            isOwner={dataset.permissions.owner}
            onChange={(username, role) => setRoles({ ...roles, [username.toLowerCase()]: role })}
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
