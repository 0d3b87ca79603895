import { Text, UnstyledButton } from "@mantine/core";
import { Folder } from "lucide-react";
import classes from "./Sidebar.module.css";

/** The folders directly inside the open one. Undefined: not known yet. */
export function Subdirectories({ names, onOpen }: { names: string[] | undefined; onOpen: (name: string) => void }) {
  return (
    <nav aria-label="Subdirectories">
      <h2 className={classes.heading}>Subdirectories</h2>
      {names?.length === 0 && (
        <Text size="xs" c="dimmed">
          No subdirectory found.
        </Text>
      )}
      <div className={classes.folders}>
        {names?.map((name) => (
          <UnstyledButton key={name} className={classes.folder} title={name} onClick={() => onOpen(name)}>
            <Folder size={15} aria-hidden />
            <span>{name}</span>
          </UnstyledButton>
        ))}
      </div>
    </nav>
  );
}
