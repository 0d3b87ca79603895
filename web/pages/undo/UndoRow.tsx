import { t } from "@lingui/core/macro";
import { ActionIcon, Anchor, Checkbox, Table, Text } from "@mantine/core";
import { Trash2, Undo2 } from "lucide-react";
import { memo } from "react";
import { Link } from "react-router-dom";
import type { UndoEntry } from "../../../shared/api/undo";
import { agoOfSpan } from "../../components/agoText";
import { isRepeatedClick } from "../../components/isRepeatedClick";
import { NeedsServer } from "../../components/offline/NeedsServer";
import { dateLocale } from "../../languages/formats";
import { keyOf, kindText, titleOf } from "./entryTexts";
import classes from "./UndoPage.module.css";

interface Props {
  entry: UndoEntry;
  isTicked: boolean;
  isBusy: boolean;
  isStale: boolean;
  onTick: (ticked: (before: ReadonlySet<string>) => ReadonlySet<string>) => void;
  onRollBack: (entries: readonly UndoEntry[]) => void;
  onDelete: (entries: readonly UndoEntry[]) => void;
}

/** Row of one deleted thing. Memoised, because there may be a thousand rows. */
export const UndoRow = memo(function UndoRow({
  entry,
  isTicked,
  isBusy,
  isStale,
  onTick,
  onRollBack,
  onDelete,
}: Props) {
  const { id, instance, name, ago, date, deleted_by, permissions } = entry;
  const title = titleOf(entry);
  const handleTick = () =>
    onTick((before) => {
      const after = new Set(before);
      if (!after.delete(keyOf(entry))) after.add(keyOf(entry));
      return after;
    });
  return (
    <Table.Tr className={classes.row} data-ticked={isTicked || undefined}>
      <Table.Td className={classes.narrow}>
        <Checkbox
          size="xs"
          aria-label={t`Select ${title}`}
          checked={isTicked}
          disabled={isStale}
          onChange={handleTick}
        />
      </Table.Td>
      <Table.Td className={classes.narrow}>
        <time dateTime={date} title={new Date(date).toLocaleString(dateLocale())}>
          {agoOfSpan(ago)}
        </time>
      </Table.Td>
      <Table.Td className={`${classes.narrow} ${classes.wide}`}>{deleted_by ?? ""}</Table.Td>
      <Table.Td className={classes.narrow}>{kindText(instance)}</Table.Td>
      <Table.Td className={`${classes.narrow} ${classes.wide}`}>{id}</Table.Td>
      <Table.Td className={classes.name}>
        {name}
        <Place entry={entry} />
      </Table.Td>
      <Table.Td className={classes.act}>
        <NeedsServer>
          <ActionIcon
            variant="subtle"
            aria-label={t`Roll back ${title}`}
            title={t`Roll back`}
            disabled={isBusy || isStale}
            // The next entry moves to this place.
            onClick={(event) => isRepeatedClick(event) || onRollBack([entry])}
          >
            <Undo2 size={15} />
          </ActionIcon>
        </NeedsServer>
      </Table.Td>
      <Table.Td className={classes.act}>
        <NeedsServer>
          <ActionIcon
            variant="subtle"
            color="red"
            aria-label={t`Delete ${title} permanently`}
            title={permissions.delete ? t`Delete permanently` : t`Only the dataset's owner can delete permanently`}
            disabled={isBusy || isStale || !permissions.delete}
            onClick={() => onDelete([entry])}
          >
            <Trash2 size={15} />
          </ActionIcon>
        </NeedsServer>
      </Table.Td>
    </Table.Tr>
  );
});

/** The category, image and dataset that the entry belonged to, with links to those that still exist. */
function Place({ entry: { category, image, dataset } }: { entry: UndoEntry }) {
  if (!category && !image && !dataset) return null;
  return (
    <Text size="xs" c="dimmed">
      {category?.name}
      {category && image && ` ${t({ message: "in", comment: "category in image" })} `}
      {image && (
        <Anchor component={Link} to={`/annotate/${image.id}`} fz="xs" c="inherit" underline="always">
          {image.name}
        </Anchor>
      )}
      {image && dataset && " · "}
      {dataset && (
        <Anchor component={Link} to={`/dataset/${dataset.id}`} fz="xs" c="inherit" underline="always">
          {dataset.name}
        </Anchor>
      )}
    </Text>
  );
}
