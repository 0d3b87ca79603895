import { Button, Group, Stack, Text, Title } from "@mantine/core";
import { CheckCheck } from "lucide-react";
import { useState } from "react";
import { EmptyState } from "../../components/lists/EmptyState";
import { ConfirmModal } from "../../components/messages/ConfirmModal";
import { LoadErrorLine } from "../../components/messages/LoadError";
import { shownOf } from "../../queries/queryState";
import { useSession } from "../../queries/session";
import type { ReviewGroup } from "../../sync/review/groups";
import type { Review } from "../../sync/review/review";
import { Loading } from "../common/Loading";
import { PageTitle } from "../common/PageTitle";
import { exportGroups } from "./exportGroups";
import { GroupCard } from "./GroupCard";
import classes from "./ReviewPage.module.css";
import { useApply } from "./useApply";
import { useReview } from "./useReview";
import { type Target, targetOf, useTargets } from "./useTargets";

/**
 * `/review`: changes that this user made in this browser before the server's data were restored or replaced. Nothing of
 * them is sent before the user says where it belongs.
 */
export function ReviewPage() {
  const session = useSession();
  const found = useReview(session);
  if (found.state === "loading") return <Loading />;
  return (
    <div className={classes.page}>
      <PageTitle>Review</PageTitle>
      {found.state === "loaded" && found.groups.length > 0 ? (
        <Groups review={found.review} groups={found.groups} username={session.user.username} />
      ) : (
        <EmptyState icon={CheckCheck} title="Nothing to review" isPage>
          <Text size="sm">
            This device holds no changes from another installation. If the server's data was restored or replaced while
            you worked, the open page was closed, because its numbers may now belong to other images.
          </Text>
        </EmptyState>
      )}
    </div>
  );
}

interface GroupsProps {
  review: Review;
  groups: readonly ReviewGroup[];
  username: string;
}

function Groups({ review, groups, username }: GroupsProps) {
  const targets = useTargets(groups);
  const { apply, isBusy } = useApply(review);
  /** Those that were shown when it was asked whether to discard all: another tab may add some. */
  const [discarding, setDiscarding] = useState<readonly ReviewGroup[]>();
  const shown = shownOf(targets);
  const sure = targets.state === "loaded" ? sureOf(groups, targets.data) : undefined;
  const handleDiscard = () => discarding && void review.discard(discarding).finally(() => setDiscarding(undefined));
  return (
    <Stack gap="md">
      <Title order={1}>Review</Title>
      <Text size="sm" maw={720}>
        These changes never reached the server. Either its data was restored or replaced since, or they were made with
        an earlier version of this page. The same numbers may belong to other images here, so nothing is sent before you
        choose where it belongs. Images count as the same when dataset, path and size are equal.
      </Text>
      <Group gap="xs">
        <Button disabled={!sure?.length} loading={isBusy} onClick={() => sure && void apply(sure)}>
          Apply all here{sure && ` (${sure.length})`}
        </Button>
        <Button variant="default" onClick={() => exportGroups(groups, username)}>
          Export as JSON
        </Button>
        <Button variant="default" color="red" onClick={() => setDiscarding(groups)}>
          Discard all
        </Button>
      </Group>
      {targets.state === "failed" && <LoadErrorLine error={targets.error} onRetry={() => void targets.retry()} />}
      <Stack gap="xs" component="ul" className={classes.list} aria-busy={targets.state === "loading"}>
        {groups.map((group) => (
          <GroupCard
            key={group.key}
            group={group}
            found={targetOf(shown, group.key)}
            isBusy={isBusy}
            onApply={(image) => void apply([{ group, image }])}
            onExport={() => exportGroups([group], username)}
            onDiscard={(asked) => void review.discard([asked])}
          />
        ))}
      </Stack>
      <ConfirmModal
        opened={discarding !== undefined}
        title="Discard all of these changes?"
        confirm="Discard"
        isBusy={false}
        onConfirm={handleDiscard}
        onClose={() => setDiscarding(undefined)}
      >
        They are removed from this device and cannot be restored. Export them as JSON first to keep a copy.
      </ConfirmModal>
    </Stack>
  );
}

/** Returns the groups whose image is here by name. */
function sureOf(groups: readonly ReviewGroup[], targets: ReadonlyMap<string, Target>) {
  return groups.flatMap((group) => {
    const target = targets.get(group.key);
    return target?.isSame ? [{ group, image: target.image }] : [];
  });
}
