import { t } from "@lingui/core/macro";
import { ActionIcon, Tooltip } from "@mantine/core";
import { ChevronLeft, ChevronRight, ChevronsRight } from "lucide-react";
import type { ComponentType, ReactNode } from "react";
import { useDocument, useEditor } from "../../editor/context";
import { ariaKeys, withKeys } from "../../keyboard/shortcuts";
import classes from "../common/Annotator.module.css";
import { useKeysOf } from "../common/useKeysOf";
import { ListPosition } from "./ListPosition";

/**
 * File name, and the place in the list context between the buttons for the neighbours; `children` come last. The name
 * is the heading of the page.
 */
export function FileTitle({ children }: { children?: ReactNode }) {
  const image = useDocument((state) => state.image);
  return (
    <div className={classes.title}>
      <h1 className={classes.fileName} title={image.path}>
        {image.file_name}
      </h1>
      <NeighbourButton to="previous" command="previous" label={t`Previous Image`} icon={ChevronLeft} />
      <ListPosition />
      <NeighbourButton to="next" command="next" label={t`Next Image`} icon={ChevronRight} />
      <NeighbourButton
        to="next_not_annotated"
        command="next not annotated"
        label={t`Next Image without Annotations`}
        icon={ChevronsRight}
      />
      {children}
    </div>
  );
}

interface NeighbourProps {
  to: "previous" | "next" | "next_not_annotated";
  command: string;
  label: string;
  icon: ComponentType<{ size?: number }>;
}

/** Button that opens a neighbour. At the end of the list it appears disabled, and a press shows a message. */
function NeighbourButton({ to, command, label, icon: Icon }: NeighbourProps) {
  const { actions } = useEditor();
  const isEnd = useDocument((state) => state.image[to] === null);
  const keys = useKeysOf()(command);
  return (
    <Tooltip label={withKeys(label, keys)} openDelay={300}>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={label}
        data-tour={command}
        aria-keyshortcuts={ariaKeys(keys)}
        aria-disabled={isEnd}
        data-disabled={isEnd || undefined}
        onMouseDown={(event) => event.preventDefault()}
        onClick={() => actions.go(to)}
      >
        <Icon size={18} />
      </ActionIcon>
    </Tooltip>
  );
}
