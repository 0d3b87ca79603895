import { plural, t } from "@lingui/core/macro";
import { ActionIcon, Button, Paper, Text } from "@mantine/core";
import { Download, GitCompare, Trash2 } from "lucide-react";
import { downloadVersion } from "../../../../shared/api/datasets/versions";
import type { Version } from "../../../../shared/entities/export";
import { agoText } from "../../../components/agoText";
import { formatBytes } from "../../../components/formatBytes";
import { NeedsServer } from "../../../components/offline/NeedsServer";
import { utcText } from "../../../components/utcText";
import { download } from "../../../io/http/download";
import { url } from "../../../io/http/request";
import classes from "./VersionRow.module.css";

interface Props {
  version: Version;
  /** Undefined if there is no other version. */
  onCompare: (() => void) | undefined;
  /** Undefined if the user may not delete versions. */
  onDelete: (() => void) | undefined;
}

/** A version with its note, its numbers and its commands. */
export function VersionRow({ version, onCompare, onDelete }: Props) {
  const { id, name, note, creator, created_at, images, annotations, bytes, sha256, file_name } = version;
  const time = agoText(created_at);
  const counts = [
    plural(images, { one: "# image", other: "# images" }),
    plural(annotations, { one: "# annotation", other: "# annotations" }),
  ].join(", ");
  return (
    <Paper withBorder px="md" py="xs" className={classes.row}>
      <div className={classes.about}>
        <Text size="sm" fw={600} className={classes.name}>
          {name}
        </Text>
        <Text size="xs" c="dimmed" title={utcText(created_at)}>
          {t`${creator}, ${time}`}
        </Text>
        {note !== "" && (
          <Text size="sm" className={classes.note}>
            {note}
          </Text>
        )}
      </div>
      <Text size="xs" c="dimmed" className={classes.numbers} title={t`SHA-256: ${sha256}`}>
        {counts}
        <br />
        {formatBytes(bytes)}
      </Text>
      <div className={classes.commands}>
        {onCompare && (
          <NeedsServer>
            <Button
              variant="default"
              leftSection={<GitCompare size={14} />}
              onClick={onCompare}
              aria-label={t`Compare version ${name}`}
            >
              {t`Compare…`}
            </Button>
          </NeedsServer>
        )}
        <NeedsServer>
          <Button
            variant="default"
            leftSection={<Download size={14} />}
            onClick={() => download(url(downloadVersion, { params: { id } }), file_name)}
            aria-label={t`Download version ${name}`}
          >
            {t`Download`}
          </Button>
        </NeedsServer>
        {onDelete && (
          <NeedsServer>
            <ActionIcon variant="subtle" color="red" aria-label={t`Delete version ${name}`} onClick={onDelete}>
              <Trash2 size={15} />
            </ActionIcon>
          </NeedsServer>
        )}
      </div>
    </Paper>
  );
}
