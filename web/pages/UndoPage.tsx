import { Button, Group, Select, Skeleton } from "@mantine/core";
import { Trash2, Undo2 } from "lucide-react";
import { useCallback, useEffect, useRef, useState } from "react";
import { UNDO_TYPES, type UndoEntry, type UndoType } from "../../shared/api/undo";
import { LIST_LIMITS } from "../../shared/constants";
import { EmptyState } from "../components/EmptyState";
import { ListHead } from "../components/ListHead";
import { LoadError } from "../components/LoadError";
import { isRunning, useTasks } from "../queries/tasks";
import { useDeleted } from "../queries/undo";
import { PageTitle } from "./shell/PageTitle";
import classes from "./UndoPage.module.css";
import { ConfirmDeletion } from "./undo/ConfirmDeletion";
import { keyOf } from "./undo/entryTexts";
import { UndoTable } from "./undo/UndoTable";
import { useUndoActions } from "./undo/useUndoActions";
import { useUndoFilter } from "./undo/useUndoFilter";

const NONE: readonly UndoEntry[] = [];

/** What was deleted: it comes back, or goes for good. */
export function UndoPage() {
  const { type, limit, setType, setLimit } = useUndoFilter();
  const list = useDeleted(type, limit);
  const { data, error, isPending, isPlaceholderData, refetch } = list;
  useRefreshWithTasks(refetch);
  // Those of the type before are shown until the new ones are here, and nothing is done to them.
  const isDue = isPending || isPlaceholderData;
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set());
  const [deleting, setDeleting] = useState<readonly UndoEntry[]>(NONE);
  const heading = useRef<HTMLHeadingElement>(null);
  const chosen = isDue ? NONE : (data?.filter((entry) => ticked.has(keyOf(entry))) ?? NONE);
  const { rollBack, deleteForGood, isRemoving, isBusy } = useUndoActions({
    onDeletionEnd: useCallback(() => setDeleting(NONE), []),
    onEnd: useCallback(() => {
      if (document.activeElement === document.body) heading.current?.focus();
    }, []),
  });
  return (
    <div className={classes.page}>
      <PageTitle>Undo</PageTitle>
      <ListHead
        title="Undo"
        note={data && !isDue ? countText(data.length, limit, chosen.length) : undefined}
        list={list}
        headingRef={heading}
      >
        <Button variant="default" disabled>
          Undo All
        </Button>
        <Button variant="default" disabled>
          Delete All
        </Button>
      </ListHead>
      <Group gap="xs" mb="md">
        <Select
          aria-label="Type"
          data={UNDO_TYPES}
          value={type}
          onChange={(value) => setType(value as UndoType)}
          allowDeselect={false}
          size="xs"
          w={130}
        />
        <Select
          aria-label="Limit"
          data={LIST_LIMITS.map(String)}
          value={String(limit)}
          onChange={(value) => setLimit(Number(value))}
          allowDeselect={false}
          size="xs"
          w={90}
          mr="auto"
        />
        <Button
          leftSection={<Undo2 size={14} />}
          disabled={chosen.length === 0}
          loading={isBusy && deleting.length === 0}
          onClick={() => rollBack(chosen)}
        >
          Undo Selected
        </Button>
        <Button
          color="red"
          variant="light"
          leftSection={<Trash2 size={14} />}
          disabled={!chosen.some((entry) => entry.permissions.delete)}
          onClick={() => setDeleting(chosen)}
        >
          Delete Selected
        </Button>
      </Group>
      {isPending && <Skeleton height={120} />}
      {error && !data && <LoadError error={error} onRetry={() => void refetch()} />}
      {data?.length === 0 && !isDue && <EmptyState icon={Undo2} title="Nothing to undone!" />}
      {data && data.length > 0 && (
        <UndoTable
          entries={data}
          ticked={ticked}
          onTick={setTicked}
          isBusy={isBusy || isDue}
          onRollBack={rollBack}
          onDelete={setDeleting}
        />
      )}
      <ConfirmDeletion
        entries={deleting}
        isBusy={isBusy}
        isSent={isRemoving}
        onConfirm={deleteForGood}
        onClose={() => setDeleting(NONE)}
      />
    </div>
  );
}

function countText(count: number, limit: number, chosen: number): string {
  if (count === 0) return "";
  const all = count < limit ? `${count} ${count === 1 ? "item" : "items"}` : `the newest ${count} items`;
  return chosen > 0 ? `${chosen} of ${all} selected` : all;
}

/** Imports and datasets come back and go by tasks: when one ends, the list is another. */
function useRefreshWithTasks(refetch: () => unknown): void {
  const { data: tasks } = useTasks();
  const running = tasks
    ?.filter(isRunning)
    .map(({ id }) => id)
    .join();
  const before = useRef(running);
  useEffect(() => {
    if (before.current !== undefined && before.current !== running) void refetch();
    before.current = running;
  }, [running, refetch]);
}
