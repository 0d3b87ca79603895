import { plural, t } from "@lingui/core/macro";
import { Alert, Button, Group, NumberInput, Radio, Skeleton, Stack, Text } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useEffect, useRef, useState } from "react";
import { FormFields } from "../../components/forms/FormFields";
import { LoadErrorLine } from "../../components/messages/LoadError";
import { NeedsServer } from "../../components/offline/NeedsServer";
import type { Copies } from "../../offline/copies";
import type { CopyProgress } from "../../offline/copy/copiesState";
import type { Choice, FileForm } from "../../offline/copy/records";
import { estimateText, isTooLarge, roomText } from "./copyTexts";
import { useEstimate } from "./useEstimate";
import type { ShownList, Wish } from "./wishes";

/** Initial number of images for the choice "the next images of the list". */
const NEXT_COUNT = 100;
const MAX_COUNT = 100_000;
/** Pause after the last key before the size is estimated again, in milliseconds. */
const TYPING_MS = 300;

interface Props {
  datasetId: number;
  copies: Copies;
  /** The list that the dialog was opened from. */
  list: ShownList | undefined;
  /** The existing copy, whose choice is changed. */
  copy: CopyProgress | undefined;
  /** Stores the choice, unless the signal was aborted before, because the user has left the form. */
  onChoose: (choice: Choice, signal: AbortSignal) => Promise<void>;
  onCancel: () => void;
}

/** Asks which images to keep in this browser and in which form, and shows how much storage they need. */
export function ChoiceForm({ datasetId, copies, list, copy, onChoose, onCancel }: Props) {
  const before = copy?.choice.ids ?? null;
  const [kind, setKind] = useState<Wish["kind"]>(before ? "same" : "all");
  const [form, setForm] = useState<FileForm>(copy?.choice.form ?? "original");
  const [count, setCount] = useState<number>(NEXT_COUNT);
  const [settled] = useDebouncedValue(count, TYPING_MS);
  const [isBusy, setBusy] = useState(false);
  const leaving = useRef(new AbortController());
  useEffect(() => {
    const abort = new AbortController();
    leaving.current = abort;
    return () => abort.abort();
  }, []);
  const wish = wishOf(kind, settled, before);
  const query = useEstimate(copies, { datasetId, form, wish, list });
  const isSettled = kind !== "next" || settled === count;
  const kept = copy && copy.choice.form === form ? copy.bytes.here : 0;
  const handleSubmit = async (event: React.FormEvent) => {
    event.preventDefault();
    if (query.state !== "loaded" || !isSettled || isBusy) return;
    setBusy(true);
    await onChoose(query.data.choice, leaving.current.signal);
    setBusy(false);
  };
  return (
    <form onSubmit={(event) => void handleSubmit(event)}>
      <Stack gap="md">
        <FormFields isSent={isBusy} gap="md">
          <Radio.Group label={t`Images`} value={kind} onChange={(value) => setKind(value as Wish["kind"])}>
            <Stack gap={8} mt={6}>
              {before && (
                <Radio
                  value="same"
                  label={plural(before.length, {
                    one: "The # image chosen before",
                    other: "The # images chosen before",
                  })}
                />
              )}
              <Radio value="all" label={t`The whole dataset, including images added later`} data-autofocus />
              {list?.isNarrowed && <Radio value="filter" label={filterText(list)} />}
              <Radio
                value="next"
                label={t`The next images of the list`}
                description={
                  list ? t`From the top of the open page, in the list's order` : t`In the order of file names`
                }
              />
              {kind === "next" && (
                <NumberInput
                  aria-label={t`Number of images`}
                  value={count}
                  onChange={(value) => setCount(countOf(value))}
                  min={1}
                  max={MAX_COUNT}
                  allowDecimal={false}
                  size="xs"
                  w={120}
                  ml={28}
                />
              )}
            </Stack>
          </Radio.Group>
          <Radio.Group label={t`Files`} value={form} onChange={(value) => setForm(value as FileForm)}>
            <Stack gap={8} mt={6}>
              <Radio value="original" label={t`Original files`} description={t`Every pixel, as stored on the server`} />
              <Radio
                value="display"
                label={t`Display size`}
                description={t`At most 2048 pixels wide and high, so files are much smaller. Shapes keep the original's coordinates`}
              />
            </Stack>
          </Radio.Group>
        </FormFields>
        <div role="status" aria-live="polite">
          {(query.state === "loading" || !isSettled) && (
            <Skeleton height={20} role="img" aria-label={t`Estimating the size`} />
          )}
          {query.state === "failed" && <LoadErrorLine error={query.error} onRetry={() => void query.retry()} />}
          {query.state === "loaded" && isSettled && (
            <Stack gap="xs">
              <div>
                <Text size="sm" fw={600}>
                  {estimateText(query.data.estimate)}
                </Text>
                <Text size="sm" c="dimmed">
                  {roomText(query.data.estimate)}
                </Text>
              </div>
              {isTooLarge(query.data.estimate, kept) && (
                <Alert color="yellow" variant="light" title={t`This does not fit`}>
                  {form === "original"
                    ? t`Choose fewer images or the display size, or remove other offline datasets. Otherwise the download stops when this browser's storage is full.`
                    : t`Choose fewer images, or remove other offline datasets. Otherwise the download stops when this browser's storage is full.`}
                </Alert>
              )}
            </Stack>
          )}
        </div>
        {!copy && (
          <Text size="sm" c="dimmed">
            {t`The browser may ask whether Limn may store data permanently. If you refuse, it may delete the images when disk space runs low.`}
          </Text>
        )}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onCancel}>
            {t`Cancel`}
          </Button>
          <NeedsServer>
            <Button type="submit" loading={isBusy} disabled={query.state !== "loaded" || !isSettled}>
              {copy ? t`Change` : t`Make available`}
            </Button>
          </NeedsServer>
        </Group>
      </Stack>
    </form>
  );
}

const filterText = ({ total }: ShownList): string =>
  total === undefined
    ? t`The current filter`
    : plural(total, { one: "The current filter: # image", other: "The current filter: # images" });

function wishOf(kind: Wish["kind"], count: number, before: number[] | null): Wish {
  if (kind === "next") return { kind, count };
  return kind === "same" ? { kind, ids: before ?? [] } : { kind };
}

const countOf = (value: number | string): number => Math.max(1, Math.min(MAX_COUNT, Math.floor(Number(value) || 1)));
