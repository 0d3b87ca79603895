import { t } from "@lingui/core/macro";
import { Modal } from "@mantine/core";
import { Image as Picture } from "lucide-react";
import { type ReactNode, useMemo, useState } from "react";
import { LoadErrorLine } from "../../../components/messages/LoadError";
import type { SceneCategory } from "../../document/document";
import { useDocument, useEditor, useMayEdit } from "../../editor/context";
import { isLook } from "../../keyboard/lookCommands";
import { type Command, groupText, isFor, showKeys } from "../../keyboard/shortcuts";
import { annotationsFor, type FoundAnnotation, inOrder, type Ranked, ranked } from "../../tree/paletteItems";
import annotator from "../common/Annotator.module.css";
import { type Choice, ChoiceList } from "../common/ChoiceList";
import classes from "./PaletteDialog.module.css";
import { type FoundOutside, NOTHING_OUTSIDE, useFoundOutside } from "./useFoundOutside";

/** Rank of what arrives late: below everything else, so that it moves no choice that the user has seen. */
const OUTSIDE = 5;
/** Maximum number of categories that are listed. */
const CATEGORIES = 8;
/** Commands that the palette leaves out, because it lists categories and labels by name. */
const IS_NUMBERED = /^(category|label) \d+$/;

/** Returns true for a command that can be run from a list: not one that lasts while its key is held. */
const isListed = ({ id, end }: Command): boolean => id !== "palette" && !end && !IS_NUMBERED.test(id);

/** Finds commands, categories, annotations and images by typing, and runs or opens the chosen one. */
export function PaletteDialog() {
  const { ui } = useEditor();
  const [text, setText] = useState("");
  const found = useFoundOutside(text);
  const choices = useChoices(text, found.state === "loaded" ? found : NOTHING_OUTSIDE);
  return (
    <Modal
      opened
      centered={false}
      withCloseButton={false}
      returnFocus={false}
      padding={0}
      yOffset="12vh"
      size={560}
      onClose={() => ui.close()}
      title={<span className={classes.title}>{t`Command palette`}</span>}
      classNames={{ header: classes.title, body: classes.body }}
    >
      <ChoiceList
        label={t`Search commands, categories, annotations and images`}
        placeholder={t`Command, category, annotation, image`}
        text={text}
        onText={setText}
        choices={choices}
        nothing={t`Nothing found for “${{ text: text.trim() }}”`}
        pending={
          found.state === "loading" ? (
            t`Searching images…`
          ) : found.state === "failed" ? (
            <LoadErrorLine error={found.error} onRetry={found.retry} />
          ) : null
        }
        onClose={() => ui.close()}
      />
    </Modal>
  );
}

function useChoices(text: string, { images, annotation: elsewhere }: FoundOutside): Choice[] {
  const editor = useEditor();
  const { list, shortcuts, mode, categories, labels, actions, ui, parts } = editor;
  const document = useDocument((state) => state);
  const mayEdit = useMayEdit();
  /** Closes the palette first, so that a command finds the canvas as before. */
  const run = (act: () => void) => () => {
    ui.close();
    act();
  };
  const commands = ranked(
    list.filter((command) => isFor(command, mode.mode) && isListed(command) && (mayEdit || isLook(command))),
    (command) => [command.name, groupText(command.group), ...shortcuts.keysOf(command).map((keys) => showKeys(keys))],
    text,
  );
  const found =
    text.trim() === "" || !mayEdit ? [] : ranked(document.categories, ({ name }) => [name], text).slice(0, CATEGORIES);
  const annotations = useMemo(() => annotationsFor(document, text), [document, text]);
  const chooseCategory = (id: number) =>
    mode.mode === "label" ? labels.toggle(id) : categories.assign(categories.targets, id);
  return inOrder<Choice>([
    commands.map(
      choiceOf((command: Command) => commandChoice(command, shortcuts.keysOf(command)[0], run(command.run))),
    ),
    found.map(
      choiceOf((category: SceneCategory) => ({
        id: `category ${category.id}`,
        group: groupText("Categories"),
        content: (
          <Line color={category.color} name={category.name} note={`${document.numbered.indexOf(category.id) + 1}`} />
        ),
        run: run(() => chooseCategory(category.id)),
      })),
    ),
    annotations.map(
      choiceOf(({ annotation, category, title }: FoundAnnotation) => ({
        id: annotation.uuid,
        group: groupText("Annotations"),
        content: (
          <Line
            color={category.color}
            name={`${category.name} ${title}`}
            note={annotation.id === null ? t`id: new` : t`id: ${{ id: annotation.id }}`}
          />
        ),
        run: run(() => actions.selectListed(annotation)),
      })),
    ),
    (elsewhere ? [elsewhere] : []).map(({ id, uuid, image_id }) => ({
      item: {
        id: `annotation ${id}`,
        group: groupText("Annotations"),
        content: <Line icon={<Picture size={14} />} name={t`Annotation ${id}`} note={t`on another image`} />,
        run: run(() => parts.goTo(image_id, uuid)),
      },
      rank: OUTSIDE,
    })),
    images.map((image) => ({
      item: {
        id: `image ${image.id}`,
        group: t`Images`,
        content: <Line icon={<Picture size={14} />} name={image.path} note={image.annotated ? t`annotated` : ""} />,
        run: run(() => parts.goTo(image.id)),
      },
      rank: OUTSIDE,
    })),
  ]);
}

const choiceOf =
  <T,>(make: (item: T) => Choice) =>
  ({ item, rank }: Ranked<T>): Ranked<Choice> => ({ item: make(item), rank });

function commandChoice({ id, name, group }: Command, keys: readonly string[] | undefined, run: () => void): Choice {
  return { id, group: groupText(group), content: <Line name={name} keys={keys && showKeys(keys)} />, run };
}

interface LineProps {
  name: string;
  color?: string;
  icon?: ReactNode;
  note?: string;
  keys?: string | undefined;
}

function Line({ name, color, icon, note, keys }: LineProps) {
  return (
    <>
      {color && <span className={annotator.swatch} style={{ background: color }} />}
      {icon}
      <span className={annotator.name}>{name}</span>
      {note && <span className={annotator.dim}>{note}</span>}
      {keys && <kbd className={classes.keys}>{keys}</kbd>}
    </>
  );
}
