import { t } from "@lingui/core/macro";
import { Button, Group, Text, Title } from "@mantine/core";
import { foldText } from "../../../../shared/text/fold";
import { useEditor, useSettings } from "../../editor/context";
import { type Command, GROUPS, groupText, showKeys } from "../../keyboard/shortcuts";
import { ShortcutRow } from "./ShortcutRow";
import classes from "./Shortcuts.module.css";

const notes = (): Partial<Record<Command["group"], string>> => ({
  Categories: t`The tree shows the key of each category. The selected annotation moves to the category; without a selection, new annotations go there.`,
  Labels: t`In label mode.`,
});

/**
 * All commands with fields for their keys. `search` filters by name and keys. The list is the one that the keyboard
 * handler uses.
 */
export function ShortcutFields({ search = "" }: { search?: string }) {
  const { list, shortcuts, settings } = useEditor();
  const changedIds = Object.keys(useSettings().shortcuts);
  const changed = changedIds.length;
  const wanted = foldText(search.trim());
  const found = list.filter((command) =>
    [command.name, ...shortcuts.keysOf(command).map((keys) => showKeys(keys))].some((text) =>
      foldText(text).includes(wanted),
    ),
  );
  const handleReset = () => settings.changeShortcuts(Object.fromEntries(changedIds.map((id) => [id, null])));
  return (
    <>
      <div className={classes.groups}>
        {GROUPS.map((group) => [group, found.filter((command) => command.group === group)] as const)
          .filter(([, commands]) => commands.length > 0)
          .map(([group, commands]) => (
            <section key={group} aria-label={groupText(group)}>
              <Title order={3} size="h5">
                {groupText(group)}
              </Title>
              {notes()[group] && (
                <Text size="xs" c="dimmed">
                  {notes()[group]}
                </Text>
              )}
              {commands.map((command) => (
                <ShortcutRow key={command.id} command={command} />
              ))}
            </section>
          ))}
      </div>
      {found.length === 0 && <Text c="dimmed">{t`No command matches.`}</Text>}
      {changed > 0 && (
        <Group justify="flex-end" mt="sm">
          <Button variant="default" size="xs" onClick={handleReset}>
            {t`Reset all keys (${changed} changed)`}
          </Button>
        </Group>
      )}
    </>
  );
}
