import { msg, t } from "@lingui/core/macro";
import { Button, Checkbox, Group, Stack, Text } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useState } from "react";
import { FormFields } from "../../../../components/forms/FormFields";
import { FormModal, useFormValues } from "../../../../components/forms/FormModal";
import { TagField } from "../../../../components/tags/TagField";
import type { WhichImages } from "../../../../queries/bulk";
import { usePossibleMembers } from "../../../../queries/datasets";
import { shownOf } from "../../../../queries/queryState";
import { useGiveImages } from "../../../../queries/tabs/consensus";
import { useMembers } from "../../../../queries/tabs/statistics";
import { useTaskForm } from "../../../common/useCancelLate";

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

const LATE_CANCEL_TEXTS = {
  title: msg`Consensus`,
  cancelled: msg`Giving the images is being cancelled. Copies that were given before stay; they can be taken back on the Consensus tab.`,
  finished: msg`The images were given before this could be cancelled. They can be taken back on the Consensus tab.`,
};

/** Dialog that gives copies of images to several users, who do not see each other's work. */
export function GiveImages({ images, datasetId, which, onStarted, onClose }: Props) {
  const give = useGiveImages(datasetId);
  const { submit, cancel } = useTaskForm(give, LATE_CANCEL_TEXTS);
  const handleCancel = () => {
    cancel();
    onClose();
  };
  return (
    <FormModal opened onClose={handleCancel} title={t`Give ${images} to several users`} size="md">
      <Form
        datasetId={datasetId}
        isBusy={give.isPending}
        onSubmit={(values) => submit({ ...which, ...values }, onStarted)}
        onCancel={handleCancel}
      />
    </FormModal>
  );
}

interface FormProps {
  datasetId: number;
  isBusy: boolean;
  onSubmit: (values: { users: string[]; is_truth: boolean }) => void;
  onCancel: () => void;
}

function Form({ datasetId, isBusy, onSubmit, onCancel }: FormProps) {
  const [users, setUsers] = useState<string[]>([]);
  const [isTruth, setTruth] = useState(false);
  const [typed, setTyped] = useState("");
  useFormValues({ users, isTruth, typed });
  const members = useMembers(datasetId);
  const others = usePossibleMembers(datasetId, useDebouncedValue(typed.trim(), TYPING_MS)[0]);
  // The members' names are suggested before others have loaded, and nothing is claimed before theirs have.
  const suggestions =
    members.state === "loaded"
      ? { ...members, data: [...members.data.map(({ username }) => username), ...(shownOf(others)?.data ?? [])] }
      : { ...members, previous: undefined };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (users.length > 0) onSubmit({ users, is_truth: isTruth });
      }}
    >
      <Stack gap="md">
        <FormFields isSent={isBusy} gap="md">
          <Text size="sm" c="dimmed">
            {t`Each user gets copies without annotations in a dataset of their own and does not see the work of the others. The tab Consensus compares the copies that are marked as done.`}
          </Text>
          <TagField
            label={t`Users`}
            description={t`They need not be members of this dataset.`}
            value={users}
            onChange={setUsers}
            suggestions={suggestions}
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
          <Button variant="default" onClick={onCancel}>
            {t`Cancel`}
          </Button>
          <Button type="submit" loading={isBusy} disabled={users.length === 0}>
            {t`Give`}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
