import { Button, Menu } from "@mantine/core";
import { ChevronDown, type LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { NeedsServer } from "../../../components/offline/NeedsServer";
import classes from "./SidebarMenu.module.css";

interface Props {
  icon: LucideIcon;
  label: string;
  isPrimary?: boolean;
  children: ReactNode;
}

/** Button of the sidebar that opens a menu of commands. */
export const SidebarMenu = ({ icon: Icon, label, isPrimary = false, children }: Props) => (
  <Menu position="bottom-start" width="target" classNames={{ dropdown: classes.dropdown }}>
    <Menu.Target>
      <Button
        variant={isPrimary ? "filled" : "default"}
        fullWidth
        justify="flex-start"
        leftSection={<Icon size={15} />}
        rightSection={<ChevronDown size={14} />}
        classNames={{ label: classes.label }}
      >
        {label}
      </Button>
    </Menu.Target>
    <Menu.Dropdown>{children}</Menu.Dropdown>
  </Menu>
);

interface EntryProps {
  icon: LucideIcon;
  label: string;
  /** Shown below the label. */
  note?: string;
  disabled?: boolean;
  onChoose: () => void;
}

/** Command of a menu that needs the server. */
export const SidebarEntry = ({ icon: Icon, label, note, disabled = false, onChoose }: EntryProps) => (
  <NeedsServer>
    <Menu.Item leftSection={<Icon size={15} />} aria-label={label} disabled={disabled} onClick={onChoose}>
      {label}
      {note && <span className={classes.note}>{note}</span>}
    </Menu.Item>
  </NeedsServer>
);
