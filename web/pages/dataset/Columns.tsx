import { t } from "@lingui/core/macro";
import { Title } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { type ReactNode, useCallback, useState } from "react";
import { createPortal } from "react-dom";
import { Group, Panel, Separator } from "react-resizable-panels";
import classes from "./DatasetView.module.css";
import { useSidebarWidth } from "./useSidebarWidth";

/** Media query for screens too narrow for two columns. */
const NARROW = "(max-width: 37.5em)";

interface Props {
  /** Heading of the page on a narrow screen, where the one in the sidebar may be collapsed. */
  title: string | undefined;
  sidebar: ReactNode;
  children: ReactNode;
}

/**
 * Layout with a resizable sidebar beside the content. On a narrow screen the sidebar is collapsed above it. Both keep
 * their state when the layout changes: a phone that is turned must not close a form.
 */
export function Columns({ title, sidebar, children }: Props) {
  const isNarrow = useMediaQuery(NARROW, undefined, { getInitialValueInEffect: false });
  const width = useSidebarWidth();
  const [parts] = useState(() => ({ sidebar: emptyPart(), content: emptyPart() }));
  return (
    <>
      {isNarrow ? (
        <div className={classes.rows}>
          <Title order={1} className={classes.title} title={title}>
            {title}
          </Title>
          <details className={classes.fold}>
            <summary>{t`Upload, tasks and filters`}</summary>
            <Part element={parts.sidebar} />
          </details>
          <div className={classes.content}>
            <Part element={parts.content} />
          </div>
        </div>
      ) : (
        <Group className={classes.columns}>
          <Panel
            id="sidebar"
            defaultSize={width.width}
            minSize={width.min}
            maxSize={width.max}
            onResize={width.handleResize}
            groupResizeBehavior="preserve-pixel-size"
          >
            <Part element={parts.sidebar} />
          </Panel>
          <Separator className={classes.separator} aria-label={t`Width of the sidebar`} />
          <Panel id="content" minSize="30%">
            <Part element={parts.content} />
          </Panel>
        </Group>
      )}
      {createPortal(sidebar, parts.sidebar)}
      {createPortal(children, parts.content)}
    </>
  );
}

/** Returns an element that has no box of its own, into which a part of the page is rendered. */
function emptyPart(): HTMLElement {
  const element = document.createElement("div");
  element.className = classes.part ?? "";
  return element;
}

/** The place of an element in the current layout. */
function Part({ element }: { element: HTMLElement }) {
  const place = useCallback((parent: HTMLElement | null) => parent?.append(element), [element]);
  return <div className={classes.part} ref={place} />;
}
