import { t } from "@lingui/core/macro";
import { Button, Group, Kbd, Text } from "@mantine/core";
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { subjectOf } from "../../../../shared/edits/subject";
import { isRepeatedClick } from "../../../components/isRepeatedClick";
import { afterPaint } from "../../../io/afterPaint";
import { copyOfRows, versionsOf } from "../../../sync/journal/squash";
import { type Choice, type Conflict, isBarred, isOfMissingImage, subjectsOf } from "../../../sync/journal/syncState";
import { ConflictPicture } from "./ConflictPicture";
import classes from "./Conflicts.module.css";
import { ConflictValues } from "./ConflictValues";
import { type NameOf, reasonOf, titleOf } from "./conflictText";

interface Props {
  conflicts: readonly Conflict[];
  nameOf: NameOf;
  /** Resolves when the choice is stored. */
  onResolve: (conflicts: readonly Conflict[], choice: Choice) => Promise<void>;
}

const KEYS: Readonly<Record<string, Choice>> = { m: "mine", t: "theirs", b: "both" };

/**
 * List of conflicts, one row for each subject, beside both versions of the selected subject. Arrow keys step through
 * the list; M, T and B keep the user's own version, the other version, or both. No key and no click decides a conflict
 * that the user has not seen: a held key and a double click decide one, a key pressed before the next one is painted is
 * ignored, and if the selected conflict was decided in another tab, none is selected until the user selects one.
 */
export function ConflictsView({ conflicts, nameOf, onResolve }: Props) {
  const subjects = subjectsOf(conflicts);
  const keys = subjects.map(keyOf);
  const [selectedKey, setSelectedKey] = useState(keys[0]);
  /** Position of the selected row, from which arrow keys continue if the row is removed. */
  const lastIndex = useRef(0);
  const [isBusy, setBusy] = useState(false);
  const list = useRef<HTMLDivElement>(null);
  const index = selectedKey === undefined ? -1 : keys.indexOf(selectedKey);
  const selected = subjects[index];
  useEffect(() => {
    if (index >= 0) lastIndex.current = index;
    list.current?.querySelector(`[data-index="${index}"]`)?.scrollIntoView({ block: "nearest" });
  }, [index]);
  if (subjects.length === 0) return null;
  const choices = selected ? choicesOf(selected) : [];
  const resolve = async (choice: Choice) => {
    if (isBusy || !selected || !choices.includes(choice)) return;
    setBusy(true);
    try {
      await onResolve(selected, choice);
      setSelectedKey(keys[index + 1] ?? keys[index - 1]);
      await afterPaint();
    } finally {
      setBusy(false);
    }
    // Keeps the focus in the list, although the selected row was removed.
    list.current?.focus();
  };
  const moveBy = (step: number) => {
    const next = index >= 0 ? index + step : lastIndex.current;
    setSelectedKey(keys[Math.max(0, Math.min(keys.length - 1, next))]);
  };
  const handleKey = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const choice = KEYS[event.key.toLowerCase()];
    if (step === undefined && choice === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    if (step !== undefined) moveBy(step);
    else if (choice && !event.repeat) void resolve(choice);
  };
  return (
    <section className={classes.view} onKeyDown={handleKey} aria-label={t`Conflicts`}>
      <div
        ref={list}
        className={classes.list}
        role="listbox"
        aria-label={t`Annotations in conflict`}
        aria-activedescendant={selected && `conflict-${index}`}
        tabIndex={0}
        data-autofocus
      >
        {subjects.map((each, number) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: keys are handled by the list
          <div
            key={keys[number]}
            id={`conflict-${number}`}
            data-index={number}
            role="option"
            tabIndex={-1}
            aria-selected={number === index}
            className={classes.row}
            onClick={() => setSelectedKey(keys[number])}
          >
            <Text size="sm" fw={600} truncate>
              {titleOf(each, nameOf)}
            </Text>
            <Text size="xs" c="dimmed" lineClamp={2}>
              {each[0]!.place?.path ?? t`Image ${{ id: each[0]!.edit.image_id }}`}
            </Text>
          </div>
        ))}
      </div>
      {selected ? (
        <Detail
          conflicts={selected}
          nameOf={nameOf}
          choices={choices}
          isBusy={isBusy}
          onChoose={(choice) => void resolve(choice)}
        />
      ) : (
        !isBusy && (
          <Text size="sm" c="dimmed" role="status" className={classes.detail}>
            {t`The selected conflict was decided in another tab. Select the next one.`}
          </Text>
        )
      )}
    </section>
  );
}

/** Returns the key that identifies a subject in the list, which stays the same if more of its edits are rejected. */
const keyOf = (conflicts: readonly Conflict[]): string => subjectOf(conflicts[0]!.edit);

interface DetailProps {
  conflicts: readonly Conflict[];
  nameOf: NameOf;
  choices: readonly Choice[];
  isBusy: boolean;
  onChoose: (choice: Choice) => void;
}

/** Both versions of one subject, and the buttons for the choice. */
function Detail({ conflicts, nameOf, choices, isBusy, onChoose }: DetailProps) {
  const versions = versionsOf(conflicts);
  const { edit, place } = conflicts[0]!;
  const isDrawn = edit.subject === "annotation" && !isOfMissingImage(conflicts);
  return (
    <div className={classes.detail}>
      <Text size="sm" role="status">
        {reasonOf(conflicts)}
      </Text>
      {isDrawn && (
        <>
          <ConflictPicture imageId={edit.image_id} size={place} versions={versions} />
          {!isBarred(conflicts) && (
            <Legend
              isMineDeleted={!versions.mine}
              isTheirsDeleted={!versions.theirs}
              hasBase={versions.base !== null}
            />
          )}
        </>
      )}
      <ConflictValues conflicts={conflicts} versions={versions} nameOf={nameOf} />
      <Group gap="xs">
        {choices.map((choice) => (
          <Button
            key={choice}
            size="xs"
            variant={choice === "mine" || choice === "again" ? "filled" : "default"}
            disabled={isBusy}
            onClick={(event) => isRepeatedClick(event) || onChoose(choice)}
            rightSection={KEY_OF[choice] && <Kbd size="xs">{KEY_OF[choice]}</Kbd>}
          >
            {textOf(choice, conflicts, versions.theirs === null)}
          </Button>
        ))}
      </Group>
    </div>
  );
}

const KEY_OF: Partial<Record<Choice, string>> = { mine: "M", theirs: "T", both: "B" };

function choicesOf(conflicts: readonly Conflict[]): Choice[] {
  if (isBarred(conflicts)) return ["again", "theirs"];
  const { theirs } = versionsOf(conflicts);
  return theirs && copyOfRows(conflicts) ? ["mine", "theirs", "both"] : ["mine", "theirs"];
}

function textOf(choice: Choice, conflicts: readonly Conflict[], isDeleted: boolean): string {
  if (choice === "again") return t`Try again`;
  if (choice === "both") return t`Keep both`;
  if (choice === "mine") return t`Keep mine`;
  if (isBarred(conflicts)) return t`Discard`;
  return isDeleted && conflicts[0]!.edit.subject === "annotation" ? t`Leave deleted` : t`Keep theirs`;
}

interface LegendProps {
  isMineDeleted: boolean;
  isTheirsDeleted: boolean;
  hasBase: boolean;
}

function Legend({ isMineDeleted, isTheirsDeleted, hasBase }: LegendProps) {
  return (
    <Group gap="md" className={classes.legend}>
      <span className={classes.mineKey}>{isMineDeleted ? t`Yours (deleted)` : t`Yours`}</span>
      <span className={classes.theirsKey}>{isTheirsDeleted ? t`Theirs (deleted)` : t`Theirs`}</span>
      {hasBase && <span className={classes.baseKey}>{t`Before`}</span>}
    </Group>
  );
}
