import { ActionIcon } from "@mantine/core";
import type { ComponentType, MouseEvent } from "react";

interface Props {
  label: string;
  icon: ComponentType<{ size?: number }>;
  onClick: () => void;
  className?: string;
  expanded?: boolean;
}

/** A small button in a line of the tree; a press on it does not select the line. */
export function RowButton({ label, icon: Icon, onClick, className, expanded }: Props) {
  const handleClick = (event: MouseEvent) => {
    event.stopPropagation();
    onClick();
  };
  return (
    <ActionIcon
      size={20}
      variant="subtle"
      color="gray"
      className={className}
      title={label}
      aria-label={label}
      aria-expanded={expanded}
      onMouseDown={(event) => event.preventDefault()}
      onClick={handleClick}
    >
      <Icon size={14} />
    </ActionIcon>
  );
}
