import { t } from "@lingui/core/macro";
import { Button, Checkbox, Group, Stack, Text } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useState } from "react";
import { FormFields } from "../../../../components/forms/FormFields";
import { FormModal, useFormValues } from "../../../../components/forms/FormModal";
import { TagField } from "../../../../components/tags/TagField";
import type { WhichImages } from "../../../../queries/bulk";
import { usePossibleMembers } from "../../../../queries/datasets";
import { useGiveImages } from "../../../../queries/tabs/consensus";
import { useMembers } from "../../../../queries/tabs/statistics";

/** Pause in typing after which suggestions are requested, in milliseconds. */
const TYPING_MS = 200;

interface Props {
  datasetId: number;
  which: WhichImages;
  /** The images in words, for the title, such as "3 images". */
  images: string;
  /** Called when the task has started. */
  onStarted: () => void;
  onClose: () => void;
}

/** Dialog that gives copies of images to several users, who do not see each other's work. */
export function GiveImages({ images, ...form }: Props) {
  return (
    <FormModal opened onClose={form.onClose} title={t`Give ${images} to several users`} size="md">
      <Form {...form} />
    </FormModal>
  );
}

function Form({ datasetId, which, onStarted, onClose }: Omit<Props, "images">) {
  const [users, setUsers] = useState<string[]>([]);
  const [isTruth, setTruth] = useState(false);
  const [typed, setTyped] = useState("");
  useFormValues({ users, isTruth, typed });
  const members = useMembers(datasetId);
  const others = usePossibleMembers(datasetId, useDebouncedValue(typed.trim(), TYPING_MS)[0]);
  const give = useGiveImages(datasetId);
  const names = members.state === "loaded" ? members.data.map(({ username }) => username) : [];
  const suggestions = [...names, ...(others.state === "loaded" ? others.data : [])];
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (users.length > 0) give.mutate({ ...which, users, is_truth: isTruth }, { onSuccess: onStarted });
      }}
    >
      <Stack gap="md">
        <FormFields isSent={give.isPending} gap="md">
          <Text size="sm" c="dimmed">
            {t`Each user gets copies without annotations in a dataset of their own and does not see the work of the others. The tab Consensus compares the copies that are marked as done.`}
          </Text>
          <TagField
            label={t`Users`}
            description={t`They need not be members of this dataset.`}
            value={users}
            onChange={setUsers}
            suggestions={{ state: "loaded", data: suggestions }}
            onSearch={setTyped}
            placeholder={t`Add a username`}
          />
          <Checkbox
            label={t`The present annotations are the known truth`}
            description={t`Users are scored against them, and cannot tell these images from others. Members of this dataset could look the truth up here.`}
            checked={isTruth}
            onChange={(event) => setTruth(event.currentTarget.checked)}
          />
        </FormFields>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            {t`Cancel`}
          </Button>
          <Button type="submit" loading={give.isPending} disabled={users.length === 0}>
            {t`Give`}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
