import { Button, Group, Stack, Text, Title } from "@mantine/core";
import { CheckCheck } from "lucide-react";
import { useState } from "react";
import { ConfirmModal } from "../components/ConfirmModal";
import { EmptyState } from "../components/EmptyState";
import { type Session, useSession } from "../queries/session";
import type { ReviewGroup } from "../sync/review/groups";
import type { Review } from "../sync/review/review";
import classes from "./ReviewPage.module.css";
import { exportGroups } from "./review/exportGroups";
import { GroupCard } from "./review/GroupCard";
import { useApply } from "./review/useApply";
import { useReview } from "./review/useReview";
import { useTargets } from "./review/useTargets";
import { Loading } from "./shell/Loading";
import { PageTitle } from "./shell/PageTitle";

/**
 * `/review`: changes that this user made in this browser before the server's data were restored or replaced. Nothing of
 * them is sent before the user says where it belongs.
 */
export function ReviewPage() {
  const { data: session } = useSession();
  return session ? <Found session={session} /> : <Loading />;
}

function Found({ session }: { session: Session }) {
  const { review, groups = [], isKnown } = useReview(session);
  if (!isKnown) return <Loading />;
  return (
    <div className={classes.page}>
      <PageTitle>Review</PageTitle>
      {review && groups.length > 0 ? (
        <Groups review={review} groups={groups} username={session.user.username} />
      ) : (
        <EmptyState icon={CheckCheck} title="Nothing to review" isPage>
          <Text size="sm">
            No changes that you made on another installation wait on this device. If the server's data were restored or
            replaced while you worked, the page that was open was closed: its numbers may mean other images now.
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
  const [isDiscarding, setDiscarding] = useState(false);
  const sure = groups.flatMap((group) => {
    const target = targets.get(group.key);
    return target?.isSame ? [{ group, image: target.image }] : [];
  });
  const handleDiscard = () => void review.discard(groups).finally(() => setDiscarding(false));
  return (
    <Stack gap="md">
      <Title order={1}>Review</Title>
      <Text size="sm" maw={720}>
        These changes never reached the server, and its data were restored or replaced since, or they were made with an
        earlier version of this page. The same numbers may mean other images here, so nothing is sent before you say
        where it belongs. Images count as the same when dataset, path and size are equal.
      </Text>
      <Group gap="xs">
        <Button disabled={sure.length === 0} loading={isBusy} onClick={() => void apply(sure)}>
          Apply all here ({sure.length})
        </Button>
        <Button variant="default" onClick={() => exportGroups(groups, username)}>
          Export as JSON
        </Button>
        <Button variant="default" color="red" onClick={() => setDiscarding(true)}>
          Discard all
        </Button>
      </Group>
      <Stack gap="xs" component="ul" className={classes.list}>
        {groups.map((group) => (
          <GroupCard
            key={group.key}
            group={group}
            target={targets.get(group.key)}
            isBusy={isBusy}
            onApply={(image) => void apply([{ group, image }])}
            onExport={() => exportGroups([group], username)}
            onDiscard={() => void review.discard([group])}
          />
        ))}
      </Stack>
      <ConfirmModal
        opened={isDiscarding}
        title="Discard all of these changes?"
        confirm="Discard"
        isBusy={false}
        onConfirm={handleDiscard}
        onClose={() => setDiscarding(false)}
      >
        They are removed from this device and cannot be brought back. Export them as JSON first to keep a copy.
      </ConfirmModal>
    </Stack>
  );
}
