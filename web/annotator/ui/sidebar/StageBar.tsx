import { t } from "@lingui/core/macro";
import { Button, Tooltip } from "@mantine/core";
import { agoText } from "../../../components/agoText";
import { isRepeatedClick } from "../../../components/isRepeatedClick";
import { StageBadge } from "../../../components/stages/StageBadge";
import { useDocument, useEditor } from "../../editor/context";
import type { Editor } from "../../editor/editor";
import { withKeys } from "../../keyboard/shortcuts";
import classes from "../common/Annotator.module.css";
import { useKeysOf } from "../common/useKeysOf";

/**
 * Stage of the image, and the buttons that move it on: annotators submit, reviewers accept and return, and images from
 * the queue can be skipped. Shows nothing in a dataset that asks for no review, unless the image came from the queue,
 * waits for a review or was returned.
 */
export function StageBar() {
  const { progress } = useEditor();
  const { stage, returned_by, returned_at } = useDocument((state) => state.image);
  const isAnnotated = useDocument((state) => state.annotations.size > 0);
  const isReviewed = useDocument((state) => state.dataset.review);
  if (!isReviewed && !progress.isQueued && stage !== "to_review" && stage !== "returned") return null;
  const { role } = progress;
  const when = returned_at ? agoText(returned_at) : "";
  const returned = returned_by ? t`Returned by ${{ user: returned_by }}, ${{ time: when }}` : undefined;
  return (
    <section className={classes.stageBar} data-stage={stage} aria-label={t`Stage`}>
      <StageBadge
        stage={stage === "open" ? (isAnnotated ? "annotating" : "new") : stage}
        size={14}
        {...(stage === "returned" && returned && { text: returned })}
      />
      <span className={classes.stageButtons}>
        {progress.isQueued && (
          <StageButton command="skip" label={t`Skip`} tooltip={t`Skip Image`} onClick={() => progress.skip()} />
        )}
        {stage === "to_review" && role === "annotator" && (
          <StageButton
            command="done"
            label={t`Take back`}
            tooltip={t`Take back`}
            onClick={() => progress.toggleDone()}
          />
        )}
        {role === "reviewer" && stage !== "returned" && (
          <StageButton
            command="return next"
            label={t({ message: "Return", context: "verb" })}
            tooltip={t`Return and Next Image`}
            onClick={() => progress.returnAndNext()}
          />
        )}
        {stage !== "accepted" && !(role === "annotator" && stage === "to_review") && (
          <StageButton
            command="done next"
            label={finishText(role)}
            tooltip={finishTooltip(role)}
            isMain
            onClick={() => progress.doneAndNext()}
          />
        )}
      </span>
    </section>
  );
}

const finishText = (role: Editor["progress"]["role"]): string =>
  role === "reviewer" ? t`Accept` : role === "annotator" ? t`Submit for review` : t`Mark as Done`;

const finishTooltip = (role: Editor["progress"]["role"]): string =>
  role === "reviewer"
    ? t`Accept and Next Image`
    : role === "annotator"
      ? t`Submit and Next Image`
      : t`Done and Next Image`;

interface ButtonProps {
  /** Id of the command with the same effect. */
  command: string;
  label: string;
  tooltip: string;
  isMain?: boolean;
  onClick: () => void;
}

/** Button for a step of the image. Ignores the second click of a double click: it would act on the next image, unseen. */
function StageButton({ command, label, tooltip, isMain = false, onClick }: ButtonProps) {
  const keys = useKeysOf()(command);
  return (
    <Tooltip label={withKeys(tooltip, keys)} openDelay={300}>
      <Button
        size="compact-xs"
        variant={isMain ? "filled" : "default"}
        onMouseDown={(event) => event.preventDefault()}
        onClick={(event) => isRepeatedClick(event) || onClick()}
      >
        {label}
      </Button>
    </Tooltip>
  );
}
