import { t } from "@lingui/core/macro";
import { Button, Group, Stack, Text, Title } from "@mantine/core";
import { CheckCheck, TriangleAlert } from "lucide-react";
import { useEffect, useMemo, useState } from "react";
import { useStore } from "zustand";
import { ConflictsView } from "../../annotator/ui/conflicts/ConflictsView";
import { EmptyState } from "../../components/lists/EmptyState";
import { ConfirmModal } from "../../components/messages/ConfirmModal";
import { allCategoriesQuery } from "../../queries/categories";
import { useQueryState } from "../../queries/queryState";
import { ownerOf, useSession } from "../../queries/session";
import { syncOf } from "../../sync/currentSync";
import { type Choice, type Conflict, isBarred, subjectsOf } from "../../sync/journal/syncState";
import { storageText } from "../../sync/storageText";
import { Loading } from "../common/Loading";
import { PageTitle } from "../common/PageTitle";
import classes from "./ConflictsPage.module.css";

/** `/conflicts`: all edits of this user in this browser that the server rejected, by dataset. */
export function ConflictsPage() {
  const { user, installation } = useSession();
  const sync = useMemo(() => syncOf(ownerOf({ user, installation })), [user, installation]);
  const { conflicts, pending, isRead, isUnreadable } = useStore(sync.state);
  // Opens the journal if no other page has done so.
  useEffect(() => void sync.flush(), [sync]);
  const resolve = async (chosen: readonly Conflict[], choice: Choice) => {
    await sync.resolve(chosen, choice);
    void sync.flush();
  };
  if (!isRead) return <Loading />;
  return (
    <div className={classes.page}>
      <PageTitle>{t`Conflicts`}</PageTitle>
      {conflicts.length === 0 && isUnreadable ? (
        <EmptyState icon={TriangleAlert} title={t`Conflicts`} isPage>
          <Text size="sm">{storageText()}</Text>
        </EmptyState>
      ) : conflicts.length === 0 ? (
        <EmptyState icon={CheckCheck} title={t`No conflicts`} isPage>
          <Text size="sm">
            {pending === 0
              ? t`All changes made in this browser have been stored.`
              : t`Changes made in this browser are still being sent.`}
          </Text>
        </EmptyState>
      ) : (
        <Stack gap="lg">
          <Title order={1}>{t`Conflicts`}</Title>
          <Text size="sm" maw={720}>
            {subjectsOf(conflicts).some(isBarred)
              ? t`The server could not store these changes. They are kept in this browser until you choose.`
              : t`Another user changed the same thing as you. Nothing is overwritten until you choose.`}
          </Text>
          {isUnreadable && <Text size="sm">{storageText()}</Text>}
          {byDataset(conflicts).map(([name, ofDataset]) => (
            <DatasetConflicts key={name} name={name} conflicts={ofDataset} onResolve={resolve} />
          ))}
        </Stack>
      )}
    </div>
  );
}

interface DatasetProps {
  name: string;
  conflicts: readonly Conflict[];
  onResolve: (conflicts: readonly Conflict[], choice: Choice) => Promise<void>;
}

/** The conflicts of one dataset, with buttons that decide all of them. */
function DatasetConflicts({ name, conflicts, onResolve }: DatasetProps) {
  const categories = useQueryState(allCategoriesQuery);
  /** The conflicts shown when the user pressed a button for all, because more may come before the user confirms. */
  const [asked, setAsked] = useState<{ conflicts: readonly Conflict[]; choice: Choice }>();
  const [isBusy, setBusy] = useState(false);
  const known = categories.state === "loaded" ? categories.data : undefined;
  const subjects = subjectsOf(conflicts);
  const open = subjects.filter((subject) => !isBarred(subject)).flat();
  const barred = subjects.filter(isBarred).flat();
  const ask = (choice: Choice) => setAsked({ conflicts: open, choice });
  const handleAgain = () => {
    setBusy(true);
    void onResolve(barred, "again").finally(() => setBusy(false));
  };
  const handleConfirm = async () => {
    if (!asked) return;
    setBusy(true);
    await onResolve(asked.conflicts, asked.choice).finally(() => setBusy(false));
    setAsked(undefined);
  };
  const isMine = asked?.choice === "mine";
  return (
    <section>
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h4">
          {name}
        </Title>
        <Group gap="xs">
          {barred.length > 0 && (
            <Button size="xs" variant="default" disabled={isBusy} onClick={handleAgain}>
              {t`Try all again`}
            </Button>
          )}
          {open.length > 0 && (
            <>
              <Button size="xs" variant="default" onClick={() => ask("mine")}>
                {t`Keep all mine`}
              </Button>
              <Button size="xs" variant="default" onClick={() => ask("theirs")}>
                {t`Keep all theirs`}
              </Button>
            </>
          )}
        </Group>
      </Group>
      <ConflictsView
        conflicts={conflicts}
        nameOf={(id) => known?.find((category) => category.id === id)?.name}
        onResolve={onResolve}
      />
      <ConfirmModal
        opened={asked !== undefined}
        title={isMine ? t`Keep all of your versions?` : t`Keep all of their versions?`}
        confirm={isMine ? t`Keep all mine` : t`Keep all theirs`}
        isBusy={isBusy}
        isSent={isBusy}
        onConfirm={() => void handleConfirm()}
        onClose={() => setAsked(undefined)}
      >
        {isMine
          ? t`Your versions replace those of the other users. Their versions stay in the history.`
          : t`Your versions are removed from this device and cannot be restored.`}
      </ConfirmModal>
    </section>
  );
}

/** Groups conflicts by the name of their dataset, which edits made by earlier versions do not contain. */
function byDataset(conflicts: readonly Conflict[]): [string, Conflict[]][] {
  const groups = new Map<string, Conflict[]>();
  for (const conflict of conflicts) {
    const name = conflict.place?.dataset ?? t`Other images`;
    groups.set(name, [...(groups.get(name) ?? []), conflict]);
  }
  return [...groups];
}
