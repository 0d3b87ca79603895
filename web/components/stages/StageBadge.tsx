import { CheckCheck, Circle, CircleDashed, type LucideIcon, Undo2, UserSearch } from "lucide-react";
import type { ListedStage } from "../../../shared/api/datasets/datasetImages";
import classes from "./StageBadge.module.css";
import { stageText } from "./stageTexts";

const ICONS: Record<ListedStage, LucideIcon> = {
  open: CircleDashed,
  new: CircleDashed,
  annotating: Circle,
  to_review: UserSearch,
  returned: Undo2,
  accepted: CheckCheck,
};

interface Props {
  stage: ListedStage;
  /** Text in place of the stage's name. */
  text?: string;
  size?: number;
}

/** The stage of an image: an icon and a word in the colour of the stage. */
export function StageBadge({ stage, text, size = 13 }: Props) {
  const Icon = ICONS[stage];
  return (
    <span className={classes.badge} data-stage={stage}>
      <Icon size={size} aria-hidden /> {text ?? stageText(stage)}
    </span>
  );
}
