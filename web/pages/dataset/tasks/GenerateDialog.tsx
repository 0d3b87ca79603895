import { msg, t } from "@lingui/core/macro";
import { Button, Group, NumberInput, Stack, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { GENERATE_LIMIT } from "../../../../shared/constants";
import { FormFields } from "../../../components/forms/FormFields";
import { FormModal, useFormValues } from "../../../components/forms/FormModal";
import { useGenerate } from "../../../queries/dataset";
import { useTaskForm } from "../../common/useCancelLate";

const MAX_LIMIT = 1000;
const LATE_CANCEL_TEXTS = {
  title: msg`Generate images`,
  cancelled: msg`The search is being cancelled.`,
  finished: msg`The search finished before it could be cancelled. The images it found are in the dataset.`,
};

/** Dialog that searches for images by keyword and adds them to the dataset. */
export function GenerateDialog({ datasetId, onClose }: { datasetId: number; onClose: () => void }) {
  const start = useGenerate(datasetId);
  const { submit, cancel } = useTaskForm(start, LATE_CANCEL_TEXTS);
  const handleCancel = () => {
    cancel();
    onClose();
  };
  return (
    <FormModal opened onClose={handleCancel} title={t`Generate images`}>
      <GenerateForm isBusy={start.isPending} onSubmit={(values) => submit(values, onClose)} onCancel={handleCancel} />
    </FormModal>
  );
}

interface FormProps {
  isBusy: boolean;
  onSubmit: (values: { keywords: string; limit: number }) => void;
  onCancel: () => void;
}

function GenerateForm({ isBusy, onSubmit, onCancel }: FormProps) {
  const [keyword, setKeyword] = useState("");
  const [limit, setLimit] = useState<string | number>(GENERATE_LIMIT);
  useFormValues({ keyword, limit });
  const isValid = keyword.trim() !== "" && Number(limit) >= 1;
  const handleSubmit = (event: React.FormEvent) => {
    event.preventDefault();
    if (isValid) onSubmit({ keywords: keyword.trim(), limit: Number(limit) });
  };
  return (
    <form onSubmit={handleSubmit}>
      <Stack gap="md">
        <FormFields isSent={isBusy} gap="md">
          <Text size="sm" c="dimmed">
            {t`Searches the internet for openly licensed images and adds them to a folder named after the keyword. The license, creator and source of each image are stored in its metadata.`}
          </Text>
          <TextInput
            label={t`Keyword`}
            withAsterisk
            data-autofocus
            maxLength={200}
            value={keyword}
            onChange={(event) => setKeyword(event.currentTarget.value)}
          />
          <NumberInput
            label={t`Limit`}
            description={t`Maximum number of images`}
            value={limit}
            onChange={setLimit}
            min={1}
            max={MAX_LIMIT}
            allowDecimal={false}
          />
        </FormFields>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onCancel}>
            {t`Cancel`}
          </Button>
          <Button type="submit" disabled={!isValid} loading={isBusy}>
            {t`Generate`}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
