import { plural, t } from "@lingui/core/macro";
import { Button, Group, Select } from "@mantine/core";
import { Trash2, Undo2 } from "lucide-react";
import { useCallback, useEffect, useEffectEvent, useRef, useState } from "react";
import { UNDO_TYPES, type UndoEntry, type UndoType } from "../../../shared/api/undo";
import { LIST_LIMITS } from "../../../shared/constants";
import { EmptyState } from "../../components/lists/EmptyState";
import { ListHead } from "../../components/lists/ListHead";
import { LoadError } from "../../components/messages/LoadError";
import { NeedsServer } from "../../components/offline/NeedsServer";
import { type QueryState, shownOf } from "../../queries/queryState";
import { isRunning, useTasks } from "../../queries/tasks";
import { useDeleted } from "../../queries/undo";
import { PageTitle } from "../common/PageTitle";
import { RowSkeletons } from "../common/RowSkeletons";
import { ConfirmDeletion } from "./ConfirmDeletion";
import { keyOf, kindText } from "./entryTexts";
import classes from "./UndoPage.module.css";
import { UndoTable } from "./UndoTable";
import { useUndoActions } from "./useUndoActions";
import { useUndoFilter } from "./useUndoFilter";

/** Empty list of entries: no row is ticked, or no deletion is being confirmed. */
const NONE: readonly UndoEntry[] = [];

/** Page of deleted things, which can be restored or permanently deleted. */
export function UndoPage() {
  const { type, limit, setType, setLimit } = useUndoFilter();
  const list = useDeleted(type, limit);
  // Entries of the previous type are shown until the new ones are loaded, with commands disabled.
  const shown = shownOf(list);
  const entries = shown?.data;
  useRefreshWithTasks(list);
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set());
  const [deleting, setDeleting] = useState<readonly UndoEntry[]>(NONE);
  /** A selection belongs to one list: rows ticked in another list must not be ticked again. */
  const withoutTicks =
    <V,>(set: (value: V) => void) =>
    (value: V) => {
      setTicked(new Set());
      set(value);
    };
  const heading = useRef<HTMLHeadingElement>(null);
  const chosen = list.state === "loaded" ? list.data.filter((entry) => ticked.has(keyOf(entry))) : NONE;
  const { rollBack, deleteForGood, isRemoving, isBusy } = useUndoActions({
    onDeletionEnd: useCallback(() => setDeleting(NONE), []),
    onEnd: useCallback(() => {
      if (document.activeElement === document.body) heading.current?.focus();
    }, []),
  });
  const title = t({ message: "Undo", context: "page of deleted items" });
  return (
    <div className={classes.page}>
      <PageTitle>{title}</PageTitle>
      <ListHead
        title={title}
        note={list.state === "loaded" ? countText(list.data.length, limit, chosen.length) : undefined}
        list={list}
        headingRef={heading}
      >
        <Button variant="default" disabled>
          {t`Undo All`}
        </Button>
        <Button variant="default" disabled>
          {t`Delete All`}
        </Button>
      </ListHead>
      <Group gap="xs" mb="md" className={classes.commands}>
        <Select
          aria-label={t`Type`}
          data={UNDO_TYPES.map((value) => ({ value, label: kindText(value) }))}
          value={type}
          onChange={withoutTicks((value) => setType(value as UndoType))}
          allowDeselect={false}
          size="xs"
          className={classes.type}
        />
        <Select
          aria-label={t`Limit`}
          data={LIST_LIMITS.map(String)}
          value={String(limit)}
          onChange={withoutTicks((value) => setLimit(Number(value)))}
          allowDeselect={false}
          size="xs"
          className={classes.limit}
        />
        <NeedsServer>
          <Button
            leftSection={<Undo2 size={14} />}
            disabled={chosen.length === 0 || isRemoving}
            loading={isBusy && deleting.length === 0}
            onClick={() => rollBack(chosen)}
          >
            {t`Undo Selected`}
          </Button>
        </NeedsServer>
        <NeedsServer>
          <Button
            color="red"
            variant="light"
            leftSection={<Trash2 size={14} />}
            disabled={isBusy || !chosen.some((entry) => entry.permissions.delete)}
            onClick={() => setDeleting(chosen)}
          >
            {t`Delete Selected`}
          </Button>
        </NeedsServer>
      </Group>
      {list.state === "loading" && !entries?.length && <RowSkeletons />}
      {list.state === "failed" && <LoadError error={list.error} onRetry={() => void list.retry()} />}
      {list.state === "loaded" && list.data.length === 0 && <EmptyState icon={Undo2} title={t`Nothing to undone!`} />}
      {entries && entries.length > 0 && (
        <UndoTable
          entries={entries}
          ticked={ticked}
          onTick={setTicked}
          isBusy={isBusy}
          isStale={shown.isStale}
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
  const all =
    count < limit ? plural(count, { one: "# item", other: "# items" }) : plural(count, { other: "the newest # items" });
  return chosen > 0 ? t`${chosen} of ${all} selected` : all;
}

/**
 * Reloads the list when a task ends, because imports and datasets are restored and deleted by tasks. Also reloads it
 * when the tasks are loaded after the list, since a task may have ended in between.
 */
function useRefreshWithTasks(list: QueryState<unknown>): void {
  const tasks = useTasks();
  const running = tasks.state === "loaded" ? idsOf(tasks.data.filter(isRunning)) : undefined;
  const before = useRef(running);
  const handleTasks = useEffectEvent(() => {
    if (running === undefined || running === before.current) return;
    if (before.current !== undefined || !list.isFetching) void list.retry();
    before.current = running;
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs whenever the set of running tasks changes
  useEffect(() => handleTasks(), [running]);
}

const idsOf = (tasks: readonly { id: number }[]) => tasks.map(({ id }) => id).join();
