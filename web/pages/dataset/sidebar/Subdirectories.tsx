import { t } from "@lingui/core/macro";
import { Text, UnstyledButton } from "@mantine/core";
import { Folder } from "lucide-react";
import classes from "./Sidebar.module.css";

interface Props {
  /** Undefined until loaded. */
  names: string[] | undefined;
  /** True while the names are those of the previous folder, and cannot be opened. */
  isStale: boolean;
  onOpen: (name: string) => void;
}

/** The folders directly inside the open folder. */
export function Subdirectories({ names, isStale, onOpen }: Props) {
  return (
    <nav aria-label={t`Subdirectories`} aria-busy={isStale}>
      <h2 className={classes.heading}>{t`Subdirectories`}</h2>
      {names?.length === 0 && !isStale && (
        <Text size="xs" c="dimmed">
          {t`No subdirectory found.`}
        </Text>
      )}
      <div className={classes.folders}>
        {names?.map((name) => (
          <UnstyledButton
            key={name}
            className={classes.folder}
            title={name}
            disabled={isStale}
            onClick={() => onOpen(name)}
          >
            <Folder size={15} aria-hidden />
            <span>{name}</span>
          </UnstyledButton>
        ))}
      </div>
    </nav>
  );
}
