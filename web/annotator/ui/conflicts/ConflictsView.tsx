import { Button, Group, Kbd, Text } from "@mantine/core";
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { copyOfRows, versionsOf } from "../../../sync/journal/squash";
import { type Choice, type Conflict, isOfMissingImage, subjectsOf } from "../../../sync/journal/syncState";
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
 * List of conflicts, one row for each subject, beside both versions of the selected one. Arrow keys step through the
 * list; M, T and B keep the own version, the other one, or both.
 */
export function ConflictsView({ conflicts, nameOf, onResolve }: Props) {
  const subjects = subjectsOf(conflicts);
  const [position, setPosition] = useState(0);
  const [isBusy, setBusy] = useState(false);
  const list = useRef<HTMLDivElement>(null);
  const index = Math.min(position, subjects.length - 1);
  const selected = subjects[index];
  useEffect(() => {
    list.current?.querySelector(`[data-index="${index}"]`)?.scrollIntoView({ block: "nearest" });
  }, [index]);
  if (!selected) return null;
  const choices = choicesOf(selected);
  const resolve = async (choice: Choice) => {
    if (isBusy || !choices.includes(choice)) return;
    setBusy(true);
    await onResolve(selected, choice).finally(() => setBusy(false));
    // The row has gone: the next one is at its position now, and the focus stays in the list.
    list.current?.focus();
  };
  const handleKey = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const choice = KEYS[event.key.toLowerCase()];
    if (step === undefined && choice === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    if (step !== undefined) setPosition(Math.max(0, Math.min(subjects.length - 1, index + step)));
    else if (choice) void resolve(choice);
  };
  return (
    <section className={classes.view} onKeyDown={handleKey} aria-label="Conflicts">
      <div
        ref={list}
        className={classes.list}
        role="listbox"
        aria-label="Annotations in conflict"
        aria-activedescendant={`conflict-${index}`}
        tabIndex={0}
        data-autofocus
      >
        {subjects.map((each, number) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: keys are handled by the list
          <div
            key={each[0]!.edit.uuid}
            id={`conflict-${number}`}
            data-index={number}
            role="option"
            tabIndex={-1}
            aria-selected={number === index}
            className={classes.row}
            onClick={() => setPosition(number)}
          >
            <Text size="sm" fw={600} truncate>
              {titleOf(each, nameOf)}
            </Text>
            <Text size="xs" c="dimmed" lineClamp={2}>
              {each[0]!.place?.path ?? `Image ${each[0]!.edit.image_id}`}
            </Text>
          </div>
        ))}
      </div>
      <Detail
        conflicts={selected}
        nameOf={nameOf}
        choices={choices}
        isBusy={isBusy}
        onChoose={(choice) => void resolve(choice)}
      />
    </section>
  );
}

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
          <Legend isMineDeleted={!versions.mine} isTheirsDeleted={!versions.theirs} hasBase={versions.base !== null} />
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
            onClick={() => onChoose(choice)}
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
  if (isOfMissingImage(conflicts)) return ["again", "theirs"];
  const { theirs } = versionsOf(conflicts);
  return theirs && copyOfRows(conflicts) ? ["mine", "theirs", "both"] : ["mine", "theirs"];
}

function textOf(choice: Choice, conflicts: readonly Conflict[], isDeleted: boolean): string {
  if (choice === "again") return "Try again";
  if (choice === "both") return "Keep both";
  if (choice === "mine") return "Keep mine";
  if (isOfMissingImage(conflicts)) return "Discard";
  return isDeleted && conflicts[0]!.edit.subject === "annotation" ? "Leave deleted" : "Keep theirs";
}

interface LegendProps {
  isMineDeleted: boolean;
  isTheirsDeleted: boolean;
  hasBase: boolean;
}

function Legend({ isMineDeleted, isTheirsDeleted, hasBase }: LegendProps) {
  return (
    <Group gap="md" className={classes.legend}>
      <span className={classes.mineKey}>Yours{isMineDeleted && " (deleted)"}</span>
      <span className={classes.theirsKey}>Theirs{isTheirsDeleted && " (deleted)"}</span>
      {hasBase && <span className={classes.baseKey}>Before</span>}
    </Group>
  );
}
