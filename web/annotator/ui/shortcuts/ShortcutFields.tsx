import { Button, Group, Text, Title } from "@mantine/core";
import { foldText } from "../../../../shared/text/fold";
import { useEditor, useSettings } from "../../editor/context";
import { type Command, GROUPS, showKeys } from "../../keyboard/shortcuts";
import { ShortcutRow } from "./ShortcutRow";
import classes from "./Shortcuts.module.css";

const NOTES: Partial<Record<Command["group"], string>> = {
  Categories:
    "The tree shows the key of each category. The selected annotation moves to the category; without a selection, new annotations go there.",
  Labels: "In label mode.",
};

/**
 * All commands with fields for their keys. `search` filters by name and keys. The list is the one that the keyboard
 * handler uses.
 */
export function ShortcutFields({ search = "" }: { search?: string }) {
  const { list, shortcuts, settings } = useEditor();
  const changed = Object.keys(useSettings().shortcuts).length;
  const wanted = foldText(search.trim());
  const found = list.filter((command) =>
    [command.name, ...shortcuts.keysOf(command).map((keys) => showKeys(keys))].some((text) =>
      foldText(text).includes(wanted),
    ),
  );
  return (
    <>
      <div className={classes.groups}>
        {GROUPS.map((group) => [group, found.filter((command) => command.group === group)] as const)
          .filter(([, commands]) => commands.length > 0)
          .map(([group, commands]) => (
            <section key={group} aria-label={group}>
              <Title order={3} size="h5">
                {group}
              </Title>
              {NOTES[group] && (
                <Text size="xs" c="dimmed">
                  {NOTES[group]}
                </Text>
              )}
              {commands.map((command) => (
                <ShortcutRow key={command.id} command={command} />
              ))}
            </section>
          ))}
      </div>
      {found.length === 0 && <Text c="dimmed">No command matches.</Text>}
      {changed > 0 && (
        <Group justify="flex-end" mt="sm">
          <Button variant="default" size="xs" onClick={() => settings.change({ shortcuts: {} })}>
            Reset all keys ({changed} changed)
          </Button>
        </Group>
      )}
    </>
  );
}
