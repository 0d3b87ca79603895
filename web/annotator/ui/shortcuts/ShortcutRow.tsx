import { t } from "@lingui/core/macro";
import { ActionIcon, Alert, Button, Group, Text } from "@mantine/core";
import { Plus, RotateCcw } from "lucide-react";
import { useState } from "react";
import { useEditor, useSettings } from "../../editor/context";
import { clashes, MAX_SETS, refusal, removeKeys, replaceKeys } from "../../keyboard/bindings";
import { type KeySet, sameKeys } from "../../keyboard/keyReading";
import { type Command, showKeys } from "../../keyboard/shortcuts";
import { KeyField } from "./KeyField";
import classes from "./Shortcuts.module.css";

/** Keys that other commands already use, until the user decides. */
interface Question {
  old: KeySet | null;
  keys: KeySet;
  others: readonly Command[];
}

/** Row of a command with a field for each of its key sets; there may be none. */
export function ShortcutRow({ command }: { command: Command }) {
  const { list, shortcuts, settings } = useEditor();
  const isChanged = command.id in useSettings().shortcuts;
  const [isAdding, setAdding] = useState(false);
  const [question, setQuestion] = useState<Question | null>(null);
  /** The keys that were assigned last. */
  const [given, setGiven] = useState<KeySet | null>(null);
  const [reason, setReason] = useState<string | null>(null);
  const sets = shortcuts.keysOf(command);
  const keysOf = (of: Command) => shortcuts.keysOf(of);

  const close = () => {
    setAdding(false);
    setQuestion(null);
    setReason(null);
  };
  const give = (old: KeySet | null, keys: KeySet, others: readonly Command[]) => {
    const taken = others.map((other) => [other.id, removeKeys(keysOf(other), keys)] as const);
    settings.changeShortcuts({ ...Object.fromEntries(taken), [command.id]: replaceKeys(sets, old, keys) });
    setGiven(keys);
    close();
  };
  /** Assigns the keys, or asks the user about clashes. Returns false if the keys are refused. */
  const handleKeys = (old: KeySet | null, keys: KeySet): boolean => {
    const refused = refusal(keys);
    setReason(refused && `${showKeys(keys)}: ${refused}`);
    if (refused) return false;
    const others = clashes(list, keysOf, command, keys);
    if (others.length > 0) setQuestion({ old, keys, others });
    else give(old, keys, []);
    return true;
  };
  const handleRemove = (keys: KeySet) => {
    settings.changeShortcuts({ [command.id]: removeKeys(sets, keys) });
    close();
  };
  const handleReset = () => {
    settings.changeShortcuts({ [command.id]: null });
    close();
  };
  const others = sets.flatMap((keys) => clashes(list, keysOf, command, keys));
  return (
    <div className={classes.row}>
      <Group gap={4} wrap="nowrap">
        <span className={classes.name}>{command.name}</span>
        {sets.map((keys) => (
          <KeyField
            key={keys.join(" ")}
            label={command.name}
            keys={keys}
            isNew={given !== null && sameKeys(given, keys)}
            onKeys={(pressed) => handleKeys(keys, pressed)}
            onRemove={() => handleRemove(keys)}
            onLeave={() => setReason(null)}
          />
        ))}
        {isAdding && (
          <KeyField
            label={command.name}
            keys={null}
            onKeys={(pressed) => handleKeys(null, pressed)}
            onLeave={() => {
              setAdding(false);
              setReason(null);
            }}
          />
        )}
        <ActionIcon
          className={classes.quiet}
          variant="subtle"
          color="gray"
          size="sm"
          aria-label={t`Add keys for ${{ name: command.name }}`}
          title={t`Add keys`}
          disabled={sets.length >= MAX_SETS}
          onClick={() => setAdding(true)}
        >
          <Plus size={14} />
        </ActionIcon>
        {isChanged && (
          <ActionIcon
            variant="subtle"
            color="gray"
            size="sm"
            aria-label={t`Reset the keys of ${{ name: command.name }}`}
            title={t`Reset to default`}
            onClick={handleReset}
          >
            <RotateCcw size={14} />
          </ActionIcon>
        )}
      </Group>
      <div role="status">
        {reason && (
          <Text size="xs" c="red">
            {reason}
          </Text>
        )}
        {!question && others.length > 0 && (
          <Text size="xs" c="orange">
            {t`Shares its keys with ${{ names: namesOf(others) }}`}
          </Text>
        )}
      </div>
      {question && (
        <Alert color="yellow" p="xs" role="alert">
          <Text size="sm">
            {t`${{ keys: showKeys(question.keys) }} belongs to ${{ names: namesOf(question.others) }}.`}
          </Text>
          <Group gap="xs" mt={6}>
            <Button size="compact-xs" autoFocus onClick={() => give(question.old, question.keys, question.others)}>
              {t`Use it here`}
            </Button>
            <Button size="compact-xs" variant="default" onClick={close}>
              {t`Leave it there`}
            </Button>
          </Group>
        </Alert>
      )}
    </div>
  );
}

const namesOf = (commands: readonly Command[]): string =>
  [...new Set(commands.map(({ name }) => `“${name}”`))].join(", ");
