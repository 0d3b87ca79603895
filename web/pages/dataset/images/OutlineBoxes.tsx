import { plural, t } from "@lingui/core/macro";
import { Button, Group, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { FormFields } from "../../../components/forms/FormFields";
import { FormModal } from "../../../components/forms/FormModal";
import { CategoriesField } from "../../../components/tags/CategoriesField";
import { dateLocale } from "../../../languages/formats";
import { useBoxCount, useOutlineBoxes, useRestoreBoxes, type WhichImages } from "../../../queries/bulk";
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

/** Dialog that shows how many boxes images have, starts the task that outlines the boxes, and undoes earlier tasks. */
export function OutlineBoxes({ images, ...form }: Props) {
  return (
    <FormModal opened onClose={form.onClose} title={t`Outline the boxes of ${images}`} size="sm">
      <Form {...form} />
    </FormModal>
  );
}

function Form({ datasetId, which, categories, onStarted, onClose }: Omit<Props, "images">) {
  const [chosen, setChosen] = useState<number[]>([]);
  const boxes = chosen.length > 0 ? { ...which, categories: chosen } : which;
  const count = useBoxCount(datasetId, boxes);
  const start = useOutlineBoxes(datasetId);
  const restore = useRestoreBoxes(datasetId);
  const found = count.state === "loaded" ? count.data : undefined;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        start.mutate(boxes, { onSuccess: onStarted });
      }}
    >
      <Stack gap="md">
        <FormFields isSent={start.isPending} gap="md">
          <Text size="sm" c="dimmed">
            {t`DEXTR finds the object in each box and replaces the box with the object's outline. Boxes that no outline fills stay boxes, and so do crowds. All outlines can be undone together for 30 days.`}
          </Text>
          <CategoriesField
            label={t`Only these categories`}
            categories={categories}
            value={chosen}
            onChange={setChosen}
          />
          <Text size="sm" fw={600} role="status">
            {textOf(count.state, found)}
          </Text>
        </FormFields>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            {t`Cancel`}
          </Button>
          <Button type="submit" loading={start.isPending} disabled={!found || found.boxes === 0}>
            {t`Outline`}
          </Button>
        </Group>
        {found?.changes.map(({ undo, boxes: outlined, made_at }) => (
          <Group key={undo} justify="space-between" gap="xs" wrap="nowrap">
            <Text size="xs" c="dimmed">
              {madeText(outlined, new Date(made_at).toLocaleString(dateLocale()))}
            </Text>
            <Button
              size="compact-xs"
              variant="default"
              loading={restore.isPending && restore.variables === undo}
              onClick={() => restore.mutate(undo, { onSuccess: onStarted })}
            >
              {t`Undo`}
            </Button>
          </Group>
        ))}
      </Stack>
    </form>
  );
}

function textOf(state: string, found: { boxes: number; images: number } | undefined): string {
  if (!found) return state === "failed" ? t`The boxes could not be counted.` : t`Counting the boxes…`;
  if (found.boxes === 0) return t`There are no boxes.`;
  const images = imagesText(found.images);
  return plural(found.boxes, { one: `# box on ${images}`, other: `# boxes on ${images}` });
}

const madeText = (outlined: number, date: string): string =>
  plural(outlined, { one: `# outline from ${date}`, other: `# outlines from ${date}` });
