import { t } from "@lingui/core/macro";
import { Button, Group, Text, Title } from "@mantine/core";
import { RefreshCw } from "lucide-react";
import type { ReactNode, Ref } from "react";
import classes from "./ListHead.module.css";

interface Props {
  title: string;
  /** Summary of the list, e.g. its length; announced to screen readers when it changes. */
  note?: string | undefined;
  /** State of the list's query. */
  list: { state: "loading" | "failed" | "loaded"; isFetching: boolean; retry: () => unknown };
  /** Gets the focus when the focused element disappears. */
  headingRef?: Ref<HTMLHeadingElement>;
  /** Buttons before "Refresh". */
  children?: ReactNode;
  /** Content below the title that explains it. */
  after?: ReactNode;
}

/** Header of a page with a list: title, buttons and "Refresh". */
export function ListHead({ title, note, list, headingRef, children, after }: Props) {
  return (
    <Group gap="xs" mb="md" className={classes.head}>
      <div className={classes.title}>
        <Title order={1} ref={headingRef} tabIndex={headingRef ? -1 : undefined} style={{ outline: "none" }}>
          {title}
        </Title>
        <Text size="sm" c="dimmed" role="status">
          {note}
        </Text>
      </div>
      {children}
      <Button
        variant="default"
        classNames={{ root: classes.refresh, section: classes.icon, label: classes.label }}
        leftSection={<RefreshCw size={14} />}
        loading={list.state === "loaded" && list.isFetching}
        onClick={() => void list.retry()}
      >
        {t`Refresh`}
      </Button>
      {after}
    </Group>
  );
}
