import { t } from "@lingui/core/macro";
import { useMediaQuery } from "@mantine/hooks";
import type { ReactNode } from "react";
import { Group, Panel, Separator } from "react-resizable-panels";
import classes from "./DatasetView.module.css";
import { useSidebarWidth } from "./useSidebarWidth";

/** Media query for screens too narrow for two columns. */
const NARROW = "(max-width: 37.5em)";

interface Props {
  sidebar: ReactNode;
  children: ReactNode;
}

/** Layout with a resizable sidebar beside the content. On a narrow screen the sidebar is collapsed above it. */
export function Columns({ sidebar, children }: Props) {
  const isNarrow = useMediaQuery(NARROW, undefined, { getInitialValueInEffect: false });
  const width = useSidebarWidth();
  if (isNarrow)
    return (
      <div className={classes.rows}>
        <details className={classes.fold}>
          <summary>{t`Upload, tasks and filters`}</summary>
          {sidebar}
        </details>
        <div className={classes.content}>{children}</div>
      </div>
    );
  return (
    <Group className={classes.columns}>
      <Panel
        id="sidebar"
        defaultSize={width.width}
        minSize={width.min}
        maxSize={width.max}
        onResize={width.handleResize}
        groupResizeBehavior="preserve-pixel-size"
      >
        {sidebar}
      </Panel>
      <Separator className={classes.separator} aria-label={t`Width of the sidebar`} />
      <Panel id="content" minSize="30%">
        {children}
      </Panel>
    </Group>
  );
}
