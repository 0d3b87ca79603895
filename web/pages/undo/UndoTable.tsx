import { t } from "@lingui/core/macro";
import { Checkbox, Table } from "@mantine/core";
import type { UndoEntry } from "../../../shared/api/undo";
import { keyOf } from "./entryTexts";
import classes from "./UndoPage.module.css";
import { UndoRow } from "./UndoRow";

interface Props {
  entries: readonly UndoEntry[];
  /** Keys of the ticked rows. Keys of rows that no longer exist are ignored. */
  ticked: ReadonlySet<string>;
  onTick: (ticked: (before: ReadonlySet<string>) => ReadonlySet<string>) => void;
  /** True while a command is running: no other one can be started. */
  isBusy: boolean;
  /** True while the entries are those of the previous filter, and can be neither ticked nor changed. */
  isStale: boolean;
  onRollBack: (entries: readonly UndoEntry[]) => void;
  onDelete: (entries: readonly UndoEntry[]) => void;
}

/** Table of deleted things, newest first. */
export function UndoTable({ entries, ticked, onTick, isBusy, isStale, onRollBack, onDelete }: Props) {
  const keys = entries.map(keyOf);
  const count = keys.filter((key) => ticked.has(key)).length;
  return (
    <Table verticalSpacing={4} highlightOnHover className={classes.table} aria-busy={isBusy || isStale}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th className={classes.narrow}>
            <Checkbox
              size="xs"
              aria-label={t`Select all`}
              disabled={isStale}
              checked={count === keys.length}
              indeterminate={count > 0 && count < keys.length}
              onChange={(event) => {
                const all = event.currentTarget.checked;
                onTick(() => new Set(all ? keys : []));
              }}
            />
          </Table.Th>
          <Table.Th className={classes.narrow}>{t`Deleted`}</Table.Th>
          <Table.Th className={`${classes.narrow} ${classes.wide}`}>{t`By`}</Table.Th>
          <Table.Th className={classes.narrow}>{t`Type`}</Table.Th>
          <Table.Th className={`${classes.narrow} ${classes.wide}`}>{t`ID`}</Table.Th>
          <Table.Th className={classes.name}>{t`Name`}</Table.Th>
          <Table.Th className={classes.act}>
            <span>{t`Rollback`}</span>
          </Table.Th>
          <Table.Th className={classes.act}>
            <span>{t`Delete`}</span>
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {entries.map((entry, i) => (
          <UndoRow
            key={keys[i]}
            entry={entry}
            isTicked={ticked.has(keyOf(entry))}
            isBusy={isBusy}
            isStale={isStale}
            onTick={onTick}
            onRollBack={onRollBack}
            onDelete={onDelete}
          />
        ))}
      </Table.Tbody>
    </Table>
  );
}
