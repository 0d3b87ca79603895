import { t } from "@lingui/core/macro";
import { ActionIcon, Tooltip } from "@mantine/core";
import { Pentagon, ZoomIn, ZoomOut } from "lucide-react";
import type { QueryState } from "../../../../queries/queryState";
import { CARD_SIZE, type CardView } from "./useCardView";
import classes from "./ViewControls.module.css";

interface Props {
  view: CardView;
  outlines: QueryState<unknown>;
}

/** Buttons above the cards: outlines on the thumbnails, and the size of the cards. */
export function ViewControls({ view, outlines }: Props) {
  const hasFailed = view.hasOutlines && outlines.state === "failed";
  const label = hasFailed ? t`The outlines could not be loaded. Click to try again.` : t`Outlines on thumbnails`;
  return (
    <fieldset className={classes.controls} aria-label={t`View`}>
      <Tooltip label={label}>
        <ActionIcon
          variant={view.hasOutlines ? "light" : "subtle"}
          color={hasFailed ? "red" : view.hasOutlines ? undefined : "gray"}
          aria-label={label}
          aria-pressed={view.hasOutlines}
          onClick={() => (hasFailed ? void outlines.retry() : view.setOutlines(!view.hasOutlines))}
        >
          <Pentagon size={16} />
        </ActionIcon>
      </Tooltip>
      <label className={classes.size}>
        <ZoomOut size={14} aria-hidden />
        <input
          type="range"
          aria-label={t`Size of the cards`}
          min={CARD_SIZE.min}
          max={CARD_SIZE.max}
          step={CARD_SIZE.step}
          value={view.size}
          onChange={(event) => view.setSize(event.currentTarget.valueAsNumber)}
        />
        <ZoomIn size={14} aria-hidden />
      </label>
    </fieldset>
  );
}
