import { plural, t } from "@lingui/core/macro";
import { Button, Menu, Text } from "@mantine/core";
import { Shapes } from "lucide-react";
import { useEditor, useSelection } from "../../editor/context";
import { type Command, showKeys } from "../../keyboard/shortcuts";
import { useKeysOf } from "../common/useKeysOf";

/**
 * Ids of the commands in the menu, in order: commands that change the shape, then commands for its order, group and
 * lock.
 */
const SHAPE = [
  "refine",
  "simplify",
  "to box",
  "to outline",
  "subtract neighbours",
  "subtract above",
  "zoom to selection",
];
const STACK = ["front", "forward", "backward", "back", "group", "ungroup", "lock"];

/** Menu with the commands for the shapes of the selected annotations. Empty without a selection. */
export function ShapeMenu() {
  const editor = useEditor();
  const count = useSelection((state) => state.all.size);
  const keysOf = useKeysOf();
  if (count === 0) return null;
  const commandsOf = (ids: readonly string[]) =>
    ids.flatMap((id) => editor.list.find((command) => command.id === id) ?? []);
  const item = ({ id, name, run }: Command) => {
    const [keys] = keysOf(id);
    const shown = keys && (
      <Text size="xs" c="dimmed">
        {showKeys(keys)}
      </Text>
    );
    return (
      <Menu.Item key={id} rightSection={shown} onClick={run}>
        {id === "merge" ? plural(count, { one: "Merge # Annotation", other: "Merge # Annotations" }) : name}
      </Menu.Item>
    );
  };
  return (
    <Menu position="top-start" width={240} shadow="md" withinPortal>
      <Menu.Target>
        <Button size="compact-xs" variant="default" mb="xs" fullWidth leftSection={<Shapes size={13} />}>
          {t`Shape`}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {commandsOf(count > 1 ? ["merge", ...SHAPE] : SHAPE).map(item)}
        <Menu.Divider />
        {commandsOf(STACK).map(item)}
      </Menu.Dropdown>
    </Menu>
  );
}
