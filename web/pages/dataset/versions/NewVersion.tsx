import { msg, t } from "@lingui/core/macro";
import { Button, Group, Stack, Textarea, TextInput } from "@mantine/core";
import { useState } from "react";
import { FormFields } from "../../../components/forms/FormFields";
import { FormModal, useFormValues } from "../../../components/forms/FormModal";
import { useCreateVersion } from "../../../queries/tabs/versions";
import { useTaskForm } from "../../common/useCancelLate";

interface Props {
  datasetId: number;
  opened: boolean;
  onClose: () => void;
}

const LATE_CANCEL_TEXTS = {
  title: msg`Name this moment`,
  cancelled: msg`The version is being cancelled.`,
  finished: msg`The version was kept before it could be cancelled. It is on the Exports tab, where it can be deleted.`,
};

/** Dialog that keeps the dataset as it is now under a name. */
export function NewVersion({ datasetId, opened, onClose }: Props) {
  const create = useCreateVersion(datasetId);
  const { submit, cancel } = useTaskForm(create, LATE_CANCEL_TEXTS, opened);
  const handleCancel = () => {
    cancel();
    onClose();
  };
  return (
    <FormModal opened={opened} onClose={handleCancel} title={t`Name this moment`}>
      <Fields isBusy={create.isPending} onSubmit={(values) => submit(values, onClose)} onCancel={handleCancel} />
    </FormModal>
  );
}

interface FieldsProps {
  isBusy: boolean;
  onSubmit: (values: { name: string; note: string }) => void;
  onCancel: () => void;
}

function Fields({ isBusy, onSubmit, onCancel }: FieldsProps) {
  const [name, setName] = useState("");
  const [note, setNote] = useState("");
  useFormValues({ name, note });
  const handleSubmit = (event: React.FormEvent) => {
    event.preventDefault();
    if (name.trim() !== "") onSubmit({ name: name.trim(), note: note.trim() });
  };
  return (
    <form onSubmit={handleSubmit}>
      <Stack gap="md">
        <FormFields isSent={isBusy} gap="md">
          <TextInput
            label={t`Name`}
            placeholder={t`v1.2 for training`}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            maxLength={100}
            required
            data-autofocus
          />
          <Textarea
            label={t`Note`}
            description={t`Optional: for example what the version is for`}
            value={note}
            onChange={(event) => setNote(event.currentTarget.value)}
            maxLength={2000}
            autosize
            minRows={2}
          />
        </FormFields>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onCancel}>
            {t`Cancel`}
          </Button>
          <Button type="submit" loading={isBusy} disabled={name.trim() === ""}>
            {t`Keep this version`}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
