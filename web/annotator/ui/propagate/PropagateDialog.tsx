import { plural, t } from "@lingui/core/macro";
import { Anchor, Button, Checkbox, Group, Modal, NumberInput, Stack, Text } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useEffect, useMemo, useRef, useState } from "react";
import type { ImageSummary } from "../../../../shared/entities/image";
import { useSubmitOnce } from "../../../components/forms/useSubmitOnce";
import { LoadErrorLine } from "../../../components/messages/LoadError";
import { isNumber, recall, remember } from "../../../io/storage/localStore";
import { datasetKey } from "../../../queries/keys";
import { useQueryState } from "../../../queries/queryState";
import { MAX_TARGETS, type Target } from "../../clipboard/Propagation";
import { useEditor } from "../../editor/context";
import { CountField } from "./CountField";
import classes from "./PropagateDialog.module.css";
import { PropagateTarget } from "./PropagateTarget";

const COUNT = "annotator/propagate/count";
const SKIP = "annotator/propagate/skip";
const USUAL_COUNT = 10;
/** Pause in typing after which images are loaded, in milliseconds. */
const PAUSE_MS = 250;
/** Images that are loaded within this time are shown together, in milliseconds. */
const SHOW_MS = 60;
const NO_IMAGES: readonly ImageSummary[] = [];
const isFlag = (value: unknown): value is boolean => typeof value === "boolean";

/** Dialog that copies the selected annotations to the next images of the list, with a preview of each. */
export function PropagateDialog() {
  const { propagation, document, parts, ui } = useEditor();
  const [copied] = useState(() => propagation.copied());
  const [count, setCount] = useState<number | null>(() => recall(COUNT, isNumber) ?? USUAL_COUNT);
  const [skips, setSkips] = useState(() => recall(SKIP, isFlag) ?? false);
  const [without, setWithout] = useState<ReadonlySet<number>>(new Set());
  /** True if the user has confirmed before the images were loaded. */
  const [isConfirmed, setIsConfirmed] = useState(false);
  const [asked] = useDebouncedValue(count, PAUSE_MS);
  const answer = useNextImages(asked);
  const place = answer.state === "loaded" ? answer.data : undefined;
  const images = place?.images ?? NO_IMAGES;
  const left = place ? place.total - place.before - 1 : MAX_TARGETS;
  const most = Math.max(1, Math.min(left, MAX_TARGETS));
  const shownCount = count === null ? null : Math.min(count, most);
  const { targets, retry } = useTargets(images);
  const absent = images.filter(({ id }) => targets.get(id)?.document === null).length;
  const isLoading = asked !== count || !place || targets.size < images.length;

  const plans = useMemo(
    () =>
      images.map((image) => {
        const target = targets.get(image.id);
        return { image, target, copies: target && propagation.copiesFor(target, copied, skips) };
      }),
    [images, targets, copied, skips, propagation],
  );
  const chosen = plans.flatMap(({ image, target, copies }) =>
    target?.document && copies && copies.annotations.length > 0 && !without.has(image.id)
      ? [{ document: target.document, annotations: copies.annotations }]
      : [],
  );
  const total = chosen.reduce((sum, { annotations }) => sum + annotations.length, 0);

  const client = useQueryClient();
  const refreshList = async () => {
    await parts.sink.flush();
    await client.invalidateQueries({ queryKey: [...datasetKey(document.state.dataset.id), "list"] });
  };
  const apply = useMutation({ mutationFn: () => propagation.apply(chosen), onSuccess: () => void refreshList() });
  const submit = useSubmitOnce(apply);
  const propagate = () => {
    if (total === 0) return;
    remember(COUNT, count);
    remember(SKIP, skips);
    submit(undefined, () => ui.close(), null);
  };
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (isLoading) setIsConfirmed(count !== null);
    else propagate();
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once the images are loaded
  useEffect(() => {
    if (!isConfirmed || isLoading) return;
    setIsConfirmed(false);
    // Images that could not be loaded are shown before they are left out.
    if (absent === 0) propagate();
  }, [isConfirmed, isLoading]);
  const handleRetry = () => {
    setIsConfirmed(false);
    if (answer.state === "failed") void answer.retry();
    else retry();
  };
  const changeCount = (value: number | string) => {
    setIsConfirmed(false);
    setCount(typeof value === "number" && value >= 1 ? Math.min(Math.floor(value), MAX_TARGETS) : null);
  };
  const toggle = (id: number) => {
    setIsConfirmed(false);
    const next = new Set(without);
    if (!next.delete(id)) next.add(id);
    setWithout(next);
  };
  return (
    <Modal opened returnFocus={false} size={760} onClose={() => ui.close()} title={t`Propagate Annotations`}>
      <form onSubmit={handleSubmit} noValidate>
        <Stack gap="sm">
          <Text size="sm">
            {plural(copied.length, {
              one: "# annotation is copied to the next images of the list, at the same position. Parts outside a smaller image are cut off.",
              other:
                "# annotations are copied to the next images of the list, at the same position. Parts outside a smaller image are cut off.",
            })}
          </Text>
          <Group gap="md" align="end">
            <CountField count={count} most={most} onChange={changeCount} />
            <NumberInput
              label={place ? t`Up to image (of ${{ total: place.total }})` : t`Up to image`}
              w={180}
              min={place ? place.before + 2 : 1}
              max={place ? place.before + 1 + most : undefined}
              allowDecimal={false}
              disabled={!place}
              value={place && shownCount !== null ? place.before + 1 + shownCount : ""}
              onChange={(value) => place && changeCount(typeof value === "number" ? value - place.before - 1 : "")}
            />
            <Checkbox
              pb={8}
              label={t`Skip images that already have annotations of the same category`}
              checked={skips}
              onChange={(event) => {
                setIsConfirmed(false);
                setSkips(event.currentTarget.checked);
              }}
            />
          </Group>
          <ul className={classes.grid} aria-label={t`Images that get the annotations`} aria-busy={isLoading}>
            {plans.map(({ image, target, copies }, index) => (
              <PropagateTarget
                key={image.id}
                number={(place?.before ?? 0) + 2 + index}
                image={image}
                target={target}
                copies={copies}
                isChosen={!without.has(image.id)}
                onToggle={() => toggle(image.id)}
              />
            ))}
          </ul>
          <Group justify="space-between" gap="xs">
            <div aria-live="polite">
              {answer.state === "failed" ? (
                <LoadErrorLine error={answer.error} onRetry={handleRetry} />
              ) : (
                <Text size="sm" c="dimmed">
                  {isLoading ? t`Loading the images…` : totalText(total, chosen.length, images.length)}
                </Text>
              )}
              {!isLoading && absent > 0 && (
                <Anchor component="button" type="button" size="sm" underline="always" onClick={handleRetry}>
                  {t`Try again`}
                </Anchor>
              )}
            </div>
            <Group gap="xs">
              <Button variant="default" onClick={() => ui.close()}>
                {t`Cancel`}
              </Button>
              <Button
                type="submit"
                loading={apply.isPending || (isConfirmed && answer.state !== "failed")}
                disabled={answer.state === "failed" || (!isLoading && total === 0)}
              >
                {t`Propagate`}
              </Button>
            </Group>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

const useNextImages = (count: number | null) => {
  const { propagation, document } = useEditor();
  return useQueryState({
    queryKey: ["propagate", document.state.image.id, count],
    queryFn: () => propagation.next(count ?? 0),
    enabled: count !== null,
    gcTime: 0,
    retry: false,
  });
};

const NONE: ReadonlyMap<number, Target> = new Map();

/**
 * Returns the images as the user sees them, by id, as they are loaded. Loads each of them once; `retry` loads those
 * again that could not be loaded.
 */
function useTargets(images: readonly ImageSummary[]) {
  const { propagation } = useEditor();
  const [targets, setTargets] = useState(NONE);
  const known = useRef(new Map<number, Target>());
  const [attempt, setAttempt] = useState(1);
  // biome-ignore lint/correctness/useExhaustiveDependencies: loads again with each attempt
  useEffect(() => {
    const abort = new AbortController();
    const show = () => setTargets(new Map(images.flatMap(({ id }) => oneOf(known.current, id))));
    let timer: ReturnType<typeof setTimeout> | undefined;
    show();
    const missing = images.filter(({ id }) => !known.current.has(id));
    const note = (target: Target) => {
      known.current.set(target.image.id, target);
      timer ??= setTimeout(() => {
        timer = undefined;
        show();
      }, SHOW_MS);
    };
    propagation.load(missing, note, abort.signal).catch(() => undefined);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [images, propagation, attempt]);
  const retry = () => {
    for (const [id, { document }] of known.current) if (!document) known.current.delete(id);
    setAttempt(attempt + 1);
  };
  return { targets, retry };
}

function oneOf<K, V>(map: ReadonlyMap<K, V>, key: K): [K, V][] {
  const value = map.get(key);
  return value === undefined ? [] : [[key, value]];
}

function totalText(annotations: number, chosen: number, all: number): string {
  const images = plural(all, { one: `${chosen} of # images`, other: `${chosen} of # images` });
  return plural(annotations, { one: `# annotation on ${images}`, other: `# annotations on ${images}` });
}
