import { plural, t } from "@lingui/core/macro";
import { Button, Paper, Progress, Text } from "@mantine/core";
import { Play, UserSearch } from "lucide-react";
import { Link } from "react-router-dom";
import type { DatasetWork, WorkCounts } from "../../../shared/api/work";
import { StageBadge } from "../../components/stages/StageBadge";
import { stageText } from "../../components/stages/stageTexts";
import { numberText } from "../../languages/formats";
import { useSession } from "../../queries/session";
import { useOpenNext } from "../queue/useOpenNext";
import classes from "./Work.module.css";

const STAGES = ["new", "annotating", "returned", "to_review", "accepted"] as const satisfies (keyof WorkCounts)[];

/** A dataset with the user's images by stage, and buttons to go on annotating and reviewing. */
export function DatasetCard({ dataset: { id, name, mine, waiting } }: { dataset: DatasetWork }) {
  const me = useSession().user.username;
  const { openNext, isBusy } = useOpenNext(id);
  const total = STAGES.reduce((sum, stage) => sum + mine[stage], 0);
  const done = mine.to_review + mine.accepted;
  const share = total > 0 ? (100 * done) / total : 0;
  const list = (stage: string) => `/dataset/${id}?${new URLSearchParams({ stage, assignee: me })}`;
  return (
    <Paper component="li" withBorder className={classes.card}>
      <Link to={`/dataset/${id}`} className={classes.name}>
        <bdi>{name}</bdi>
      </Link>
      {total > 0 ? (
        <>
          <Progress value={share} aria-label={t`Done of ${{ dataset: name }}`} />
          <Text size="xs" c="dimmed">
            {t`${{ done: numberText(done) }} of ${{ total: numberText(total) }} assigned images done`}
          </Text>
          <div className={classes.stages}>
            {STAGES.filter((stage) => mine[stage] > 0).map((stage) => (
              <Link key={stage} to={list(stage)}>
                <StageBadge stage={stage} text={`${stageText(stage)}: ${numberText(mine[stage])}`} />
              </Link>
            ))}
          </div>
        </>
      ) : (
        <Text size="xs" c="dimmed">{t`Nothing is assigned to you.`}</Text>
      )}
      <div className={classes.buttons}>
        <Button
          size="xs"
          variant={total > 0 && done === total ? "default" : "filled"}
          leftSection={<Play size={14} />}
          loading={isBusy}
          onClick={openNext}
        >
          {t`Continue`}
        </Button>
        {waiting !== null && waiting > 0 && (
          <Button
            size="xs"
            variant="default"
            leftSection={<UserSearch size={14} />}
            component={Link}
            to={`/dataset/${id}?stage=to_review`}
          >
            {plural(waiting, { one: "# image to review", other: "# images to review" })}
          </Button>
        )}
      </div>
    </Paper>
  );
}
