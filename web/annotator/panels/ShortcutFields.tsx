import { Button, Group, SimpleGrid, Text, Title } from "@mantine/core";
import { useEditor, useSettings } from "../context";
import { GROUPS, showKeys } from "../shortcuts";
import { ShortcutRow } from "./ShortcutRow";

/**
 * All commands with their keys, which can be changed here. `search` leaves those whose name or keys have it. The list is
 * the one that the keyboard reads.
 */
export function ShortcutFields({ search = "" }: { search?: string }) {
  const { list, shortcuts, settings } = useEditor();
  const changed = Object.keys(useSettings().shortcuts).length;
  const wanted = search.trim().toLowerCase();
  const found = list.filter((command) =>
    [command.name, ...shortcuts.keysOf(command).map((keys) => showKeys(keys))].some((text) =>
      text.toLowerCase().includes(wanted),
    ),
  );
  return (
    <>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="xl" verticalSpacing="md">
        {GROUPS.map((group) => [group, found.filter((command) => command.group === group)] as const)
          .filter(([, commands]) => commands.length > 0)
          .map(([group, commands]) => (
            <section key={group} aria-label={group}>
              <Title order={3} size="h5">
                {group}
              </Title>
              {commands.map((command) => (
                <ShortcutRow key={command.id} command={command} />
              ))}
            </section>
          ))}
      </SimpleGrid>
      {found.length === 0 && <Text c="dimmed">No command has this in its name or keys.</Text>}
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
