import { t } from "@lingui/core/macro";
import { Button, Group, Stack, TextInput } from "@mantine/core";
import { useState } from "react";
import { FormFields } from "../../../components/forms/FormFields";
import { FormModal, useFormValues } from "../../../components/forms/FormModal";

interface Props {
  opened: boolean;
  /** For the title, e.g. "3 images". */
  images: string;
  /** The open folder. */
  folder: string;
  isBusy: boolean;
  onMove: (folder: string) => void;
  onClose: () => void;
}

/** Dialog that asks for the target folder of a move. */
export function BulkMove({ opened, onClose, images, ...form }: Props) {
  return (
    <FormModal opened={opened} onClose={onClose} title={t`Move ${images}`} size="sm">
      <Form {...form} onClose={onClose} />
    </FormModal>
  );
}

function Form({ folder: open, isBusy, onMove, onClose }: Omit<Props, "opened" | "images">) {
  const [folder, setFolder] = useState(open);
  useFormValues(folder);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onMove(folder.trim());
      }}
    >
      <Stack gap="md">
        <FormFields isSent={isBusy} gap="md">
          <TextInput
            label={t`Folder`}
            description={t`A path inside the dataset, like train/day 1. Leave empty for the top folder. A missing folder is created. The files move with the images; nothing is overwritten.`}
            value={folder}
            onChange={(event) => setFolder(event.currentTarget.value)}
            data-autofocus
          />
        </FormFields>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            {t`Cancel`}
          </Button>
          <Button type="submit" loading={isBusy}>
            {t`Move`}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
