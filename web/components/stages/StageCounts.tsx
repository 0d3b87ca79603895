import { t } from "@lingui/core/macro";
import { Link } from "react-router-dom";
import type { StageCounts as Counts } from "../../../shared/entities/dataset";
import { numberText } from "../../languages/formats";
import { StageBadge } from "./StageBadge";
import classes from "./StageBadge.module.css";
import { stageText } from "./stageTexts";

const COUNTED = ["to_review", "returned", "accepted"] as const;

interface Props {
  datasetId: number;
  /** Undefined until loaded; null in a dataset without review. */
  counts: Counts | null | undefined;
}

/** Numbers of images by stage, each a link to these images. Shows nothing for a dataset without review. */
export function StageCounts({ datasetId, counts }: Props) {
  if (!counts) return null;
  return (
    <nav className={classes.counts} aria-label={t`Images by stage`}>
      {COUNTED.map((stage) => (
        <Link key={stage} to={`/dataset/${datasetId}?stage=${stage}`}>
          <StageBadge stage={stage} text={`${stageText(stage)}: ${numberText(counts[stage])}`} />
        </Link>
      ))}
    </nav>
  );
}
