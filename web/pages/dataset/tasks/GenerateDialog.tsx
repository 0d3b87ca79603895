import { msg, t } from "@lingui/core/macro";
import { Button, Group, NumberInput, Stack, Text, TextInput } from "@mantine/core";
import { useRef, useState } from "react";
import { GENERATE_LIMIT } from "../../../../shared/constants";
import { FormFields } from "../../../components/forms/FormFields";
import { FormModal, useFormValues } from "../../../components/forms/FormModal";
import { useSubmitOnce } from "../../../components/forms/useSubmitOnce";
import { useGenerate } from "../../../queries/dataset";
import { useCancelLate } from "../../common/useCancelLate";

const MAX_LIMIT = 1000;
const LATE_CANCEL_TEXTS = {
  title: msg`Generate images`,
  cancelled: msg`The search is being cancelled.`,
  finished: msg`The search finished before it could be cancelled. The images it found are in the dataset.`,
};

/** Dialog that searches for images by keyword and adds them to the dataset. */
export function GenerateDialog({ datasetId, onClose }: { datasetId: number; onClose: () => void }) {
  const isCancelled = useRef(false);
  const handleCancel = () => {
    isCancelled.current = true;
    onClose();
  };
  return (
    <FormModal opened onClose={handleCancel} title={t`Generate images`}>
      <GenerateForm
        datasetId={datasetId}
        isCancelled={() => isCancelled.current}
        onStarted={onClose}
        onCancel={handleCancel}
      />
    </FormModal>
  );
}

interface FormProps {
  datasetId: number;
  isCancelled: () => boolean;
  onStarted: () => void;
  onCancel: () => void;
}

function GenerateForm({ datasetId, isCancelled, onStarted, onCancel }: FormProps) {
  const [keyword, setKeyword] = useState("");
  const [limit, setLimit] = useState<string | number>(GENERATE_LIMIT);
  const start = useGenerate(datasetId);
  const cancelLate = useCancelLate(LATE_CANCEL_TEXTS);
  const submit = useSubmitOnce(start);
  useFormValues({ keyword, limit });
  const isValid = keyword.trim() !== "" && Number(limit) >= 1;
  const handleSubmit = (event: React.FormEvent) => {
    event.preventDefault();
    if (!isValid) return;
    submit({ keywords: keyword.trim(), limit: Number(limit) }, onStarted, ({ id }) => {
      // Cancelled before the response arrived, so the started task is cancelled too.
      if (isCancelled()) cancelLate(id);
    });
  };
  return (
    <form onSubmit={handleSubmit}>
      <Stack gap="md">
        <FormFields isSent={start.isPending} gap="md">
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
          <Button type="submit" disabled={!isValid} loading={start.isPending}>
            {t`Generate`}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
