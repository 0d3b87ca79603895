import { t } from "@lingui/core/macro";
import { Button, Group, MultiSelect, Stack } from "@mantine/core";
import { useState } from "react";
import { FormFields } from "../../../components/forms/FormFields";
import { FormModal, useFormValues } from "../../../components/forms/FormModal";

interface Props {
  opened: boolean;
  /** For the title, e.g. "3 images". */
  images: string;
  /** Usernames of the owner and of the members who may annotate. */
  members: readonly string[];
  isBusy: boolean;
  onAssign: (users: string[]) => void;
  onClose: () => void;
}

/** Dialog that asks for the members to whom images are assigned. */
export function BulkAssign({ opened, onClose, images, ...form }: Props) {
  return (
    <FormModal opened={opened} onClose={onClose} title={t`Assign ${images}`} size="sm">
      <Form {...form} onClose={onClose} />
    </FormModal>
  );
}

function Form({ members, isBusy, onAssign, onClose }: Omit<Props, "opened" | "images">) {
  const [users, setUsers] = useState<string[]>([]);
  useFormValues(users);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onAssign(users);
      }}
    >
      <Stack gap="md">
        <FormFields isSent={isBusy} gap="md">
          <MultiSelect
            label={t`Members`}
            description={t`Several members get equal shares. Leave empty to assign the images to nobody.`}
            data={members}
            value={users}
            onChange={setUsers}
            searchable
            data-autofocus
          />
        </FormFields>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            {t`Cancel`}
          </Button>
          <Button type="submit" loading={isBusy}>
            {t`Assign`}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
