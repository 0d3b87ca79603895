import { t } from "@lingui/core/macro";
import { Tooltip } from "@mantine/core";
import { CircleAlert, CirclePause, CloudCheck } from "lucide-react";
import type { CopyProgress } from "../../offline/copy/copiesState";
import classes from "./CopyMark.module.css";
import { shareOf, stateText } from "./copyTexts";
import { useCopy } from "./useCopies";

/**
 * Icon for the progress of a dataset's copy, or for a complete, paused or failed copy. Renders nothing without a copy.
 */
export function CopyMark({ datasetId }: { datasetId: number }) {
  const copy = useCopy(datasetId);
  if (!copy) return null;
  const text = stateText(copy);
  const label = copy.state === "failed" ? t`Offline copy: ${text}` : text;
  return (
    <Tooltip label={label} multiline maw={280}>
      <span className={classes.mark} data-state={copy.state} role="img" aria-label={label}>
        <Sign copy={copy} />
      </span>
    </Tooltip>
  );
}

function Sign({ copy }: { copy: CopyProgress }) {
  switch (copy.state) {
    case "complete":
      return <CloudCheck size={15} aria-hidden />;
    case "paused":
      return <CirclePause size={15} aria-hidden />;
    case "failed":
      return <CircleAlert size={15} aria-hidden />;
    default:
      return <Ring share={shareOf(copy)} />;
  }
}

/** Circumference of the ring in units of its view box. */
const AROUND = 2 * Math.PI * 6;

function Ring({ share }: { share: number }) {
  return (
    <svg viewBox="0 0 16 16" width={15} height={15} className={classes.ring} aria-hidden="true">
      <circle cx={8} cy={8} r={6} />
      {/* Never empty, so that a download that has just begun is visible. */}
      <circle cx={8} cy={8} r={6} strokeDasharray={`${Math.max(0.05, share) * AROUND} ${AROUND}`} />
    </svg>
  );
}
