import { t } from "@lingui/core/macro";
import { Button, Group, Stack, Text, Title } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { CheckCheck, TriangleAlert } from "lucide-react";
import { useState } from "react";
import { EmptyState } from "../../components/lists/EmptyState";
import { ConfirmModal } from "../../components/messages/ConfirmModal";
import { LoadErrorLine } from "../../components/messages/LoadError";
import { shownOf } from "../../queries/queryState";
import { useSession } from "../../queries/session";
import type { ReviewGroup } from "../../sync/review/groups";
import type { Review } from "../../sync/review/review";
import { storageText } from "../../sync/storageText";
import { Loading } from "../common/Loading";
import { PageTitle } from "../common/PageTitle";
import { exportGroups } from "./exportGroups";
import { GroupCard } from "./GroupCard";
import classes from "./ReviewPage.module.css";
import { useApply } from "./useApply";
import { useReview } from "./useReview";
import { type Target, targetOf, useTargets } from "./useTargets";

/**
 * `/review`: changes that this user made in this browser before the server's data was restored or replaced. None of
 * them is sent until the user chooses the image that it belongs to.
 */
export function ReviewPage() {
  const session = useSession();
  const found = useReview(session);
  if (found.state === "loading") return <Loading />;
  return (
    <div className={classes.page}>
      <PageTitle>{t`Review`}</PageTitle>
      {found.state === "loaded" && found.groups.length > 0 ? (
        <>
          {found.isUnreadable && <Text size="sm">{storageText()}</Text>}
          <Groups review={found.review} groups={found.groups} username={session.user.username} />
        </>
      ) : found.state === "loaded" && found.isUnreadable ? (
        <EmptyState icon={TriangleAlert} title={t`Review`} isPage>
          <Text size="sm">{storageText()}</Text>
        </EmptyState>
      ) : (
        <EmptyState icon={CheckCheck} title={t`Nothing to review`} isPage>
          <Text size="sm">
            {t`This device has no changes from another installation. If the server's data was restored or replaced while you were working, the open page was closed because its image number may now belong to a different image.`}
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
  const discard = useMutation({ mutationFn: (chosen: readonly ReviewGroup[]) => review.discard(chosen) });
  /** The groups shown when the user pressed "Discard all", because another tab may add more before it is confirmed. */
  const [discarding, setDiscarding] = useState<readonly ReviewGroup[]>();
  const shown = shownOf(targets);
  const matching = targets.state === "loaded" ? matchingChoices(groups, targets.data) : undefined;
  const count = matching?.length;
  const handleDiscard = () => discarding && discard.mutate(discarding, { onSuccess: () => setDiscarding(undefined) });
  return (
    <Stack gap="md">
      <Title order={1}>{t`Review`}</Title>
      <Text size="sm" maw={720}>
        {t`These changes never reached the server. Either the server's data has been restored or replaced since then, or the changes were made with an earlier version of this page. Image numbers may now belong to different images, so nothing is sent until you choose where it belongs. Images count as the same if their dataset, path and size match.`}
      </Text>
      <Group gap="xs">
        <Button disabled={!matching?.length} loading={isBusy} onClick={() => matching && void apply(matching)}>
          {count === undefined ? t`Apply all here` : t`Apply all here (${count})`}
        </Button>
        <Button variant="default" onClick={() => exportGroups(groups, username)}>
          {t`Export as JSON`}
        </Button>
        <Button variant="default" color="red" disabled={isBusy} onClick={() => setDiscarding(groups)}>
          {t`Discard all`}
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
            onApply={(choice) => void apply([choice])}
            onExport={() => exportGroups([group], username)}
            onDiscard={(asked) => discard.mutate([asked])}
          />
        ))}
      </Stack>
      <ConfirmModal
        opened={discarding !== undefined}
        title={t`Discard all of these changes?`}
        confirm={t`Discard`}
        isBusy={discard.isPending}
        onConfirm={handleDiscard}
        onClose={() => setDiscarding(undefined)}
      >
        {t`They will be removed from this device and cannot be restored. Export them as JSON first to keep a copy.`}
      </ConfirmModal>
    </Stack>
  );
}

/** Returns the groups whose image exists here, by dataset, path and size. */
function matchingChoices(groups: readonly ReviewGroup[], targets: ReadonlyMap<string, Target>) {
  return groups.flatMap((group) => {
    const target = targets.get(group.key);
    return target?.isSame ? [{ group, image: target.image }] : [];
  });
}
