import { t } from "@lingui/core/macro";
import { ActionIcon, Badge, Button, Paper, Text } from "@mantine/core";
import { Download, Trash2 } from "lucide-react";
import { downloadExport, type listExports } from "../../../../shared/api/export";
import type { OutputOf } from "../../../../shared/api/protocol/call";
import { agoOfSpan } from "../../../components/agoText";
import { formatBytes } from "../../../components/formatBytes";
import { NeedsServer } from "../../../components/offline/NeedsServer";
import { download } from "../../../io/http/download";
import { url } from "../../../io/http/request";
import classes from "./ExportRow.module.css";

export type ListedExport = OutputOf<typeof listExports>[number];

/** Maximum number of categories shown for an export; the others are only counted. */
const MAX_TAGS = 8;

interface Props {
  export: ListedExport;
  onDelete: () => void;
}

/** An export, with its categories and commands. */
export function ExportRow({ export: { id, ago, tags, bytes, file_name }, onDelete }: Props) {
  const more = tags.length - MAX_TAGS;
  return (
    <Paper withBorder px="md" py="xs" className={classes.row}>
      <Text size="sm" className={classes.title}>
        {titleOf({ id, ago })}
      </Text>
      <div className={classes.tags}>
        {tags.slice(0, MAX_TAGS).map((tag) => (
          <Badge key={tag} size="sm" variant="light" tt="none">
            {tag}
          </Badge>
        ))}
        {more > 0 && (
          <Text size="xs" c="dimmed" title={tags.slice(MAX_TAGS).join(", ")}>
            {t`and ${more} more`}
          </Text>
        )}
      </div>
      <Text size="xs" c="dimmed" className={classes.size}>
        {formatBytes(bytes)}
      </Text>
      <div className={classes.commands}>
        <NeedsServer>
          <Button
            variant="default"
            leftSection={<Download size={14} />}
            onClick={() => download(url(downloadExport, { params: { id } }), file_name)}
          >
            {t`Download`}
          </Button>
        </NeedsServer>
        <NeedsServer>
          <ActionIcon variant="subtle" color="red" aria-label={t`Delete export ${id}`} onClick={onDelete}>
            <Trash2 size={15} />
          </ActionIcon>
        </NeedsServer>
      </div>
    </Paper>
  );
}

export function titleOf({ id, ago }: Pick<ListedExport, "id" | "ago">): string {
  const time = agoOfSpan(ago);
  return t`${id}. Exported ${time}`;
}
