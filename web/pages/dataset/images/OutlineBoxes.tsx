import { msg, plural, t } from "@lingui/core/macro";
import { Button, Group, Stack, Text } from "@mantine/core";
import { useEffect, useEffectEvent, useState } from "react";
import { FormFields } from "../../../components/forms/FormFields";
import { FormModal } from "../../../components/forms/FormModal";
import { LoadErrorLine } from "../../../components/messages/LoadError";
import { CategoriesField } from "../../../components/tags/CategoriesField";
import { dateLocale } from "../../../languages/formats";
import {
  totalIn,
  useBoxCount,
  useOutlineBoxes,
  useRestoreBoxes,
  type WhichBoxes,
  type WhichImages,
} from "../../../queries/bulk";
import { useTaskForm } from "../../common/useCancelLate";
import { imagesText } from "./imagesText";

interface Props {
  datasetId: number;
  which: WhichImages;
  /** The images in words, for the title, such as "3 images". */
  images: string;
  categories: { id: number; name: string }[];
  /** Called when the task has started. */
  onStarted: () => void;
  onClose: () => void;
}

const LATE_CANCEL_TEXTS = {
  title: msg`Boxes`,
  cancelled: msg`The change of the boxes is being cancelled. What was changed before can be undone.`,
  finished: msg`The boxes were changed before this could be cancelled. The change can be undone.`,
};

/** Dialog that shows how many boxes images have, starts the task that outlines the boxes, and undoes earlier tasks. */
export function OutlineBoxes({ images, onClose, ...form }: Props) {
  const start = useOutlineBoxes(form.datasetId);
  const restore = useRestoreBoxes(form.datasetId);
  const outlining = useTaskForm(start, LATE_CANCEL_TEXTS);
  const restoring = useTaskForm(restore, LATE_CANCEL_TEXTS);
  const handleCancel = () => {
    outlining.cancel();
    restoring.cancel();
    onClose();
  };
  return (
    <FormModal opened onClose={handleCancel} title={t`Outline the boxes of ${images}`} size="sm">
      <Form
        {...form}
        isBusy={start.isPending}
        restored={restore.isPending ? restore.variables : undefined}
        failure={start.error}
        onOutline={(boxes) => outlining.submit(boxes, form.onStarted)}
        onRestore={(undo) => restoring.submit(undo, form.onStarted)}
        onCancel={handleCancel}
      />
    </FormModal>
  );
}

interface FormProps extends Pick<Props, "datasetId" | "which" | "categories"> {
  isBusy: boolean;
  /** The change that is being undone. */
  restored: string | undefined;
  /** Error of the last attempt. */
  failure: Error | null;
  onOutline: (boxes: WhichBoxes & { boxes: number }) => void;
  onRestore: (undo: string) => void;
  onCancel: () => void;
}

function Form({ datasetId, which, categories, isBusy, restored, failure, onOutline, onRestore, onCancel }: FormProps) {
  const [chosen, setChosen] = useState<number[]>([]);
  const boxes = chosen.length > 0 ? { ...which, categories: chosen } : which;
  const count = useBoxCount(datasetId, boxes);
  /** Time of the count that was sent last. */
  const [sentAt, setSentAt] = useState(0);
  const { retry } = count;
  const isRefused = failure !== null && totalIn(failure) !== undefined && count.updatedAt === sentAt;
  const found = count.state === "loaded" && !isRefused ? count.data : undefined;
  const error = count.state === "loading" || found || count.isFetching ? null : count.error;
  const countAgain = useEffectEvent(() => void retry());
  useEffect(() => {
    if (failure && totalIn(failure) !== undefined) countAgain();
  }, [failure]);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (!found || found.boxes === 0) return;
        setSentAt(count.updatedAt);
        onOutline({ ...boxes, boxes: found.boxes });
      }}
    >
      <Stack gap="md">
        <FormFields isSent={isBusy} gap="md">
          <Text size="sm" c="dimmed">
            {t`DEXTR finds the object in each box and replaces the box with the object's outline. Boxes that no outline fills stay boxes, and so do crowds. All outlines can be undone together for 30 days.`}
          </Text>
          <CategoriesField
            label={t`Only these categories`}
            categories={categories}
            value={chosen}
            onChange={setChosen}
          />
          {error ? (
            <LoadErrorLine error={error} onRetry={() => void retry()} />
          ) : (
            <Text size="sm" fw={600} role="status">
              {textOf(found)}
            </Text>
          )}
        </FormFields>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onCancel}>
            {t`Cancel`}
          </Button>
          <Button type="submit" loading={isBusy} disabled={!found || found.boxes === 0}>
            {t`Outline`}
          </Button>
        </Group>
        {found?.changes.map(({ undo, boxes: outlined, made_at }) => (
          <Group key={undo} justify="space-between" gap="xs" wrap="nowrap">
            <Text size="xs" c="dimmed">
              {madeText(outlined, new Date(made_at).toLocaleString(dateLocale()))}
            </Text>
            <Button size="compact-xs" variant="default" loading={restored === undo} onClick={() => onRestore(undo)}>
              {t`Undo`}
            </Button>
          </Group>
        ))}
      </Stack>
    </form>
  );
}

function textOf(found: { boxes: number; images: number } | undefined): string {
  if (!found) return t`Counting the boxes…`;
  if (found.boxes === 0) return t`There are no boxes.`;
  const images = imagesText(found.images);
  return plural(found.boxes, { one: `# box on ${images}`, other: `# boxes on ${images}` });
}

const madeText = (outlined: number, date: string): string =>
  plural(outlined, { one: `# outline from ${date}`, other: `# outlines from ${date}` });
