import { plural, t } from "@lingui/core/macro";
import { Button, Checkbox, Group, Text } from "@mantine/core";
import { Scale } from "lucide-react";
import { useMemo, useState } from "react";
import { Link } from "react-router-dom";
import { figureText } from "../../components/figureText";
import { EmptyState } from "../../components/lists/EmptyState";
import { showSuccess, showWithAction } from "../../components/messages/toast";
import { numberText } from "../../languages/formats";
import { useKnownName } from "../../queries/datasets";
import { useMergeCopies, useUndoMerge } from "../../queries/tabs/consensus";
import classes from "./Consensus.module.css";
import {
  annotationsOf,
  type Choice,
  type ConsensusView,
  choicesForAll,
  firstChoices,
  mergedObject,
  previewOf,
} from "./choices";
import { MergePicture } from "./MergePicture";
import { ObjectList, takeText } from "./ObjectList";

/** Colours that are told apart with colour blindness, too (Okabe and Ito, 2008). */
const COLORS = ["#e69f00", "#56b4e9", "#cc79a7", "#009e73", "#d55e00", "#f0e442", "#0072b2"];
const TRUTH_COLOR = "#ffffff";

/** Picture and objects of an image's copies, with the choices and the button that writes them into the image. */
export function MergeView({ view }: { view: ConsensusView }) {
  const { image, annotators, objects } = view;
  const [choices, setChoices] = useState<readonly Choice[]>(() => firstChoices(view));
  const [replaces, setReplaces] = useState(false);
  const [shown, setShown] = useState<number>();
  const [hidden, setHidden] = useState<ReadonlySet<number | null>>(new Set());
  const [isPreviewShown, setPreviewShown] = useState(true);
  const merge = useMergeCopies(image.id);
  const undo = useUndoMerge(image.id);
  const drawn = useMemo(() => objects.map((object) => annotationsOf(view, object)), [view, objects]);
  const previews = useMemo(
    () => drawn.map((annotations, i) => previewOf(annotations, choices[i] ?? "none", image)),
    [drawn, choices, image],
  );
  const chosen = drawn.flatMap((annotations, i) => mergedObject(annotations, choices[i] ?? "none") ?? []);
  const order = new Map(annotators.map(({ id }, i) => [id, i]));
  const names = new Map(annotators.map(({ id, username }) => [id, username]));
  const colorOf = (id: number | null) => (id === null ? TRUTH_COLOR : COLORS[(order.get(id) ?? 0) % COLORS.length]!);
  const nameOf = (id: number | null) => (id === null ? t`Known truth` : (names.get(id) ?? ""));
  const sources = [...(image.is_truth ? [null] : []), ...annotators.map(({ id }) => id)];
  const toggle = (id: number | null) => {
    const next = new Set(hidden);
    if (!next.delete(id)) next.add(id);
    setHidden(next);
  };
  // `mutateAsync`, because callbacks of `mutate` do not run once the component has unmounted.
  const handleUndo = (mergedAt: string) => void undo.mutateAsync(mergedAt).catch(() => undefined);
  const handleMerge = () => {
    const revisions = annotators.map(({ copy_id, revision }) => ({ copy_id, revision }));
    merge
      .mutateAsync({ objects: chosen, replace: replaces, revisions, image_revision: image.revision })
      .then(({ created, merged_at: at }) => {
        const text = plural(created, { one: "# annotation was written.", other: "# annotations were written." });
        if (at === null) showSuccess(t`Consensus`, text);
        else showWithAction(t`Consensus`, text, { label: t`Undo`, onClick: () => handleUndo(at) });
      })
      .catch(() => undefined);
  };
  const datasetName = useKnownName(image.dataset_id);
  const { merged_at: mergedAt } = image;
  const count = chosen.length;
  const present = numberText(image.num_annotations);
  return (
    <div className={classes.page}>
      <div className={classes.head}>
        <Link to={`/dataset/${image.dataset_id}`} className={classes.back}>
          {datasetName ?? t`Dataset`}
        </Link>
        <h1 className={classes.title}>{image.path}</h1>
        <Text size="sm" c="dimmed">
          {agreementText(view)}
        </Text>
        <Button component={Link} to={`/annotate/${image.id}`} size="compact-xs" variant="default">
          {t`Open in the annotator`}
        </Button>
        {mergedAt && (
          <Button size="compact-xs" variant="default" loading={undo.isPending} onClick={() => handleUndo(mergedAt)}>
            {t`Undo the last merge`}
          </Button>
        )}
      </div>
      <fieldset className={classes.legend}>
        <legend className={classes.hiddenLegend}>{t`Shown shapes`}</legend>
        {sources.map((id) => (
          <Checkbox
            key={id ?? "truth"}
            size="xs"
            checked={!hidden.has(id)}
            onChange={() => toggle(id)}
            label={
              <span className={classes.member}>
                <span className={classes.swatch} style={{ background: colorOf(id) }} />
                <bdi>{nameOf(id)}</bdi>
                {annotators.some((each) => each.id === id && !each.is_finished) && (
                  <Text span size="xs" c="dimmed">{t`not done`}</Text>
                )}
              </span>
            }
          />
        ))}
        {!image.is_truth && (
          <Checkbox
            size="xs"
            checked={isPreviewShown}
            onChange={(event) => setPreviewShown(event.currentTarget.checked)}
            label={t`Preview of the merge`}
          />
        )}
      </fieldset>
      <div className={classes.columns}>
        <MergePicture {...{ view, colorOf, hidden, previews, isPreviewShown, shown }} onShow={setShown} />
        <div className={classes.side}>
          {objects.length === 0 && <EmptyState icon={Scale} title={t`Nothing was drawn yet`} />}
          {!image.is_truth && objects.length > 0 && (
            <Group gap={6} role="group" aria-label={t`For all objects`}>
              {annotators.map(({ id, username }) => (
                <Button
                  key={id}
                  size="compact-xs"
                  variant="default"
                  onClick={() => setChoices(choicesForAll(view, id))}
                >
                  {takeText(username)}
                </Button>
              ))}
              <Button size="compact-xs" variant="default" onClick={() => setChoices(choicesForAll(view, "union"))}>
                {t`Union`}
              </Button>
              <Button size="compact-xs" variant="default" onClick={() => setChoices(choicesForAll(view, "mean"))}>
                {t`Mean outline`}
              </Button>
            </Group>
          )}
          <ObjectList
            {...{ view, nameOf, colorOf, choices, shown }}
            onShow={setShown}
            onChoose={(object, choice) => setChoices(choices.map((each, i) => (i === object ? choice : each)))}
            isReadOnly={image.is_truth}
          />
          {!image.is_truth && objects.length > 0 && (
            <div className={classes.write}>
              {image.num_annotations > 0 && (
                <Checkbox
                  size="xs"
                  checked={replaces}
                  onChange={(event) => setReplaces(event.currentTarget.checked)}
                  label={t`Replace the image's present annotations (${present})`}
                />
              )}
              <Button loading={merge.isPending} disabled={count === 0} onClick={handleMerge}>
                {plural(count, {
                  one: "Write # object into the image",
                  other: "Write # objects into the image",
                })}
              </Button>
            </div>
          )}
        </div>
      </div>
    </div>
  );
}

function agreementText({ image: { f1, overlap } }: ConsensusView): string {
  const [share, mean] = [figureText(f1), figureText(overlap)];
  return f1 === null ? t`Not compared yet` : t`F1 ${share}, overlap ${mean}`;
}
