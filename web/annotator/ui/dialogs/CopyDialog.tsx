import { plural, t } from "@lingui/core/macro";
import { Anchor, Button, Checkbox, Group, Modal, Stack, Text, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useEffect, useRef, useState } from "react";
import type { AnnotatorScene } from "../../../../shared/api/annotator";
import { copyAnnotations } from "../../../../shared/api/image";
import { useSubmitOnce } from "../../../components/forms/useSubmitOnce";
import { showSuccess, showWarning } from "../../../components/messages/toast";
import { CategoriesField } from "../../../components/tags/CategoriesField";
import { useQueryState } from "../../../queries/queryState";
import { type Copies, copiesOf, isSameSize, isWorthCopying } from "../../clipboard/copies";
import { addAnnotations } from "../../document/addAnnotations";
import { useDocument, useEditor } from "../../editor/context";
import { copySource, problemOfId } from "../../import/copySource";

const PAUSE_MS = 300;

/** Dialog that copies annotations from another image into this one, as one undo step. */
export function CopyDialog() {
  const editor = useEditor();
  const client = useQueryClient();
  const image = useDocument((state) => state.image);
  const own = useDocument((state) => state.categories);
  const [id, setId] = useState("");
  const [isTried, setTried] = useState(false);
  const [without, setWithout] = useState<ReadonlySet<number>>(new Set());
  const [mayScale, setMayScale] = useState(false);
  const leaving = useRef(new AbortController());
  useEffect(() => {
    const abort = new AbortController();
    leaving.current = abort;
    return () => abort.abort();
  }, []);

  const problem = problemOfId(id, image.id);
  const [asked] = useDebouncedValue(id, PAUSE_MS);
  const isAsked = problem === null && asked === id;
  const answer = useQueryState({ ...copySource(asked, editor.parts.loadScene), enabled: isAsked });
  const source = isAsked && answer.state === "loaded" ? answer.data : undefined;
  const failure = isAsked && answer.state === "failed" ? answer.error : undefined;
  const isDue = problem === null && !source && !failure;
  const categories = source ? [...own, ...foreign(source, own)] : own;
  const mustScale = source !== undefined && !isSameSize(source.image, image);

  const copy = useMutation({
    mutationFn: async () => {
      const { signal } = leaving.current;
      try {
        const scene = await client.fetchQuery(copySource(id, editor.parts.loadScene));
        if (!mayScale && !isSameSize(scene.image, image)) return null;
        const copies = await copiesOf(scene, image, { without, trace: editor.parts.compute.trace, signal });
        addAnnotations(editor, { action: t`Copy`, ...copies });
        return copies;
      } catch (error) {
        // The dialog was closed before anything was added.
        if (signal.aborted) return null;
        throw error;
      }
    },
    onSuccess: (copies) => {
      if (!copies) return;
      report(copies);
      if (copies.annotations.length > 0) editor.ui.close();
    },
  });

  const submit = useSubmitOnce(copy);
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (problem === null && !(mustScale && !mayScale))
      submit(undefined, (copies) => !!copies?.annotations.length, null);
  };
  const fill = (neighbour: number | null) => {
    if (neighbour === null) return;
    setId(String(neighbour));
    setMayScale(false);
  };
  const error = (isTried || id !== "") && problem ? problem : failure?.message;
  return (
    <Modal opened returnFocus={false} onClose={() => editor.ui.close()} title={t`Copy Annotations From Image`}>
      <form onSubmit={handleSubmit} noValidate>
        <Stack gap="sm">
          <TextInput
            data-autofocus
            label={t`Image ID`}
            inputMode="numeric"
            autoComplete="off"
            maxLength={20}
            value={id}
            error={asked === id || isTried ? error : undefined}
            onChange={(event) => setId(event.currentTarget.value)}
          />
          <Group gap="xs" grow>
            <Button variant="default" disabled={image.previous === null} onClick={() => fill(image.previous)}>
              {t`Previous Image`}
            </Button>
            <Button variant="default" disabled={image.next === null} onClick={() => fill(image.next)}>
              {t`Next Image`}
            </Button>
          </Group>
          <CategoriesField
            label={t`Categories`}
            hidePickedOptions
            categories={categories}
            isPartial={isDue}
            value={categories.map(({ id }) => id).filter((id) => !without.has(id))}
            onChange={(ids) => {
              const chosen = new Set(ids);
              setWithout(new Set(categories.map(({ id }) => id).filter((id) => !chosen.has(id))));
            }}
            styles={{ pillsList: { maxHeight: 150, overflowY: "auto" } }}
          />
          <Text size="sm" c="dimmed" aria-live="polite" mih="1.4em">
            {isDue && t`Loading that image…`}
            {source && summary(source, without)}
            {failure && (
              <Anchor component="button" type="button" inherit underline="always" onClick={() => void answer.retry()}>
                {t`Try again`}
              </Anchor>
            )}
          </Text>
          {mustScale && (
            <Checkbox
              label={t`Scale to this image`}
              description={t`That image has ${{ theirs: sizeOf(source.image) }} pixels, this image has ${{ ours: sizeOf(image) }}.`}
              checked={mayScale}
              error={
                isTried && !mayScale ? t`The sizes do not match. Tick this box, or choose another image.` : undefined
              }
              onChange={(event) => setMayScale(event.currentTarget.checked)}
            />
          )}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={() => editor.ui.close()}>
              {t`Cancel`}
            </Button>
            <Button type="submit" loading={copy.isPending}>
              {t`Copy`}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

/** Returns the categories of the other image that have annotations there and are missing in this dataset. */
function foreign(source: AnnotatorScene, own: readonly { id: number }[]) {
  const known = new Set(own.map((category) => category.id));
  return source.categories.filter(({ id, annotations }) => !known.has(id) && annotations.length > 0);
}

const sizeOf = ({ width, height }: { width: number; height: number }): string => `${width} × ${height}`;

function summary({ image, categories }: AnnotatorScene, without: ReadonlySet<number>): string {
  const wanted = categories.filter(({ id }) => !without.has(id)).flatMap(({ annotations }) => annotations);
  const name = image.file_name;
  return plural(wanted.filter(isWorthCopying).length, {
    one: `${name}: # annotation to copy`,
    other: `${name}: # annotations to copy`,
  });
}

function report({ annotations, crowds, malformed }: Copies): void {
  const title = copyAnnotations.title;
  const lines = [
    annotations.length > 0
      ? plural(annotations.length, { one: "# annotation copied.", other: "# annotations copied." })
      : t`That image has no annotations of these categories.`,
    crowds > 0 &&
      plural(crowds, {
        one: "# of them was a crowd and is now plain outlines.",
        other: "# of them were crowds and are now plain outlines.",
      }),
    malformed > 0 &&
      plural(malformed, {
        one: "# annotation left out: the mask cannot be read.",
        other: "# annotations left out: the mask cannot be read.",
      }),
  ];
  const message = lines.filter(Boolean).join("\n");
  if (annotations.length > 0) showSuccess(title, message);
  else showWarning(title, message, title);
}
