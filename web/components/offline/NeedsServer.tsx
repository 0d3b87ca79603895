import { t } from "@lingui/core/macro";
import { Tooltip } from "@mantine/core";
import { cloneElement, type MouseEvent, type ReactElement } from "react";
import { useIsAway, wasAimedBefore } from "./away";

/** Tooltip and accessible description of commands while the server is away. */
export const needsServer = (): string => t`Not available offline: this needs the server.`;

interface Props {
  /** A button, menu item or link. It must accept a ref and the properties of a button. */
  children: ReactElement<Record<string, unknown>>;
}

/**
 * Disables a command while the server is away, and says why. A click that was aimed while it was still enabled counts.
 * The command keeps its place in the tab order, so that screen readers can announce the reason.
 */
export function NeedsServer({ children }: Props) {
  const isAway = useIsAway();
  // The tooltip is always there, so that the child is not mounted again when the server goes away.
  return (
    <Tooltip label={needsServer()} disabled={!isAway}>
      {isAway ? cloneElement(children, disabled()) : children}
    </Tooltip>
  );
}

const ignore = (event: MouseEvent) => {
  const isByPointer = event.detail > 0;
  if (isByPointer && wasAimedBefore()) return;
  event.preventDefault();
  event.stopPropagation();
};

/** In the capture phase, so that handlers of the element itself are not called either. */
const disabled = () => ({
  "data-away": true,
  "aria-disabled": true,
  "aria-description": needsServer(),
  onClickCapture: ignore,
});
