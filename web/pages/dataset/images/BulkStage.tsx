import { t } from "@lingui/core/macro";
import { Button, type ButtonProps, Menu } from "@mantine/core";
import { NeedsServer } from "../../../components/offline/NeedsServer";
import type { BulkCommand } from "../../../queries/bulk";

interface Props {
  button: ButtonProps;
  mayReview: boolean;
  onChoose: (command: BulkCommand) => void;
}

/** Button with a menu of the stages that the selected images can be moved to. */
export function BulkStage({ button, mayReview, onChoose }: Props) {
  const commands: { text: string; command: BulkCommand }[] = [
    { text: t`Submit for review`, command: { what: "mark", done: true } },
    { text: t`Take back`, command: { what: "mark", done: false } },
  ];
  if (mayReview)
    commands.push(
      { text: t`Accept`, command: { what: "mark", stage: "accepted" } },
      { text: t({ message: "Return", context: "verb" }), command: { what: "mark", stage: "returned" } },
    );
  return (
    <Menu>
      <Menu.Target>
        <Button {...button}>{t`Stage`}</Button>
      </Menu.Target>
      <Menu.Dropdown>
        {commands.map(({ text, command }) => (
          <NeedsServer key={text}>
            <Menu.Item onClick={() => onChoose(command)}>{text}</Menu.Item>
          </NeedsServer>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
