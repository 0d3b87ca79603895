import { Kbd, Modal, SimpleGrid, Table, Title } from "@mantine/core";
import { useEditor } from "../context";
import { type Command, showKeys } from "../shortcuts";

const GROUPS: readonly Command["group"][] = ["General", "Tools", "Annotations"];
/** What the mouse does; not commands, but looked for here. */
const MOUSE = [
  ["Wheel, pinch", "Zoom"],
  ["Space + drag, middle button, drag on the ground", "Move the picture"],
  ["Ctrl + wheel, Shift + wheel", "Move up and down, left and right"],
  ["Shift + click on a point", "Delete the point"],
] as const;

/** All keys, from the same list that the keyboard reads. */
export function HelpDialog() {
  const { list, ui } = useEditor();
  return (
    <Modal opened returnFocus={false} onClose={() => ui.close()} title="Keyboard Shortcuts" size="xl">
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg">
        {GROUPS.map((group) => (
          <section key={group}>
            <Title order={5}>{group}</Title>
            <Lines
              lines={list
                .filter((command) => command.group === group)
                .map(({ keys, name }) => [keys.map((set) => showKeys(set)).join(", "), name])}
            />
          </section>
        ))}
        <section>
          <Title order={5}>Mouse</Title>
          <Lines lines={MOUSE} />
        </section>
      </SimpleGrid>
    </Modal>
  );
}

function Lines({ lines }: { lines: readonly (readonly [string, string])[] }) {
  return (
    <Table verticalSpacing={3} fz="sm">
      <Table.Tbody>
        {lines.map(([keys, name]) => (
          <Table.Tr key={name}>
            <Table.Td>{name}</Table.Td>
            <Table.Td ta="right">
              <Kbd size="xs">{keys}</Kbd>
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
