import { t } from "@lingui/core/macro";
import { NativeSelect, Text } from "@mantine/core";
import { figureText } from "../../components/figureText";
import classes from "./Consensus.module.css";
import { annotationsOf, type Choice, type ConsensusView } from "./choices";

interface Props {
  view: ConsensusView;
  nameOf: (annotator: number | null) => string;
  colorOf: (annotator: number | null) => string;
  choices: readonly Choice[];
  onChoose: (object: number, choice: Choice) => void;
  shown: number | undefined;
  onShow: (object: number | undefined) => void;
  /** True where the truth is known, so that nothing is merged. */
  isReadOnly: boolean;
}

/** The objects of an image: who has drawn each, with which category, and what becomes of it. */
export function ObjectList({ view, nameOf, colorOf, choices, onChoose, shown, onShow, isReadOnly }: Props) {
  const categories = new Map(view.categories.map((category) => [category.id, category]));
  const byId = new Map(view.annotations.map((annotation) => [annotation.id, annotation]));
  return (
    <ol className={classes.objects} aria-label={t`Objects`}>
      {view.objects.map((object, i) => {
        const number = i + 1;
        const drawn = annotationsOf(view, object);
        return (
          <li
            // biome-ignore lint/suspicious/noArrayIndexKey: objects are known by their places
            key={i}
            className={classes.object}
            data-shown={i === shown || undefined}
            onPointerEnter={() => onShow(i)}
            onPointerLeave={() => onShow(undefined)}
          >
            <div className={classes.members}>
              {object.annotations.map((id) => {
                const annotation = byId.get(id)!;
                return (
                  <span key={id} className={classes.member}>
                    <span className={classes.swatch} style={{ background: colorOf(annotation.annotator) }} />
                    <bdi>{nameOf(annotation.annotator)}</bdi>
                    <Text span size="xs" c="dimmed">
                      <bdi>{categories.get(annotation.category_id)?.name}</bdi>
                    </Text>
                  </span>
                );
              })}
              <Text span size="xs" c="dimmed">
                {object.overlap === null ? t`only one` : overlapText(object.overlap)}
              </Text>
            </div>
            {!isReadOnly && drawn.length > 0 && (
              <NativeSelect
                size="xs"
                aria-label={t`Object ${number}`}
                value={String(choices[i])}
                onFocus={() => onShow(i)}
                onBlur={() => onShow(undefined)}
                onChange={(event) => onChoose(i, choiceOf(event.currentTarget.value))}
                data={optionsOf(drawn, nameOf)}
              />
            )}
          </li>
        );
      })}
    </ol>
  );
}

function overlapText(overlap: number): string {
  const share = figureText(overlap);
  return t`overlap ${share}`;
}

function optionsOf(drawn: ReturnType<typeof annotationsOf>, nameOf: Props["nameOf"]) {
  const own = drawn.map(({ annotator }) => ({ value: String(annotator), label: takeText(nameOf(annotator)) }));
  const merged = [
    { value: "union", label: t`Union` },
    { value: "mean", label: t`Mean outline` },
  ];
  return [...own, ...(drawn.length > 1 ? merged : []), { value: "none", label: t`Leave out` }];
}

export const takeText = (name: string): string => t`Take ${name}`;

const choiceOf = (value: string): Choice =>
  value === "union" || value === "mean" || value === "none" ? value : Number(value);
