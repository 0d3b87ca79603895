import { t } from "@lingui/core/macro";
import { ActionIcon, Menu } from "@mantine/core";
import { CloudDownload, Download, EllipsisVertical, Pencil, Share2, Trash2 } from "lucide-react";
import { getDatasetCoco } from "../../../shared/api/export";
import type { DatasetCard } from "../../../shared/entities/dataset";
import { saveOutput } from "../../components/messages/saveOutput";
import { NeedsServer } from "../../components/offline/NeedsServer";
import { useInfo } from "../../queries/session";
import type { CardDialog } from "./CardDialogs";

interface Props {
  dataset: DatasetCard;
  /** True while the dataset is from the previous page, and commands on it are disabled. */
  isStale: boolean;
  onOpen: (dialog: CardDialog["name"]) => void;
}

/** Menu of a dataset card, with the commands that the user may run. */
export function DatasetMenu({ dataset, isStale, onOpen }: Props) {
  const { id, name, permissions } = dataset;
  const info = useInfo();
  const hasOthers = info.state !== "loaded" || info.data.login_enabled;
  return (
    <Menu position="bottom-end" width={200}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="sm" aria-label={t`Menu of ${name}`} disabled={isStale}>
          <EllipsisVertical size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {permissions.edit && (
          <NeedsServer>
            <Menu.Item leftSection={<Pencil size={14} />} onClick={() => onOpen("edit")}>
              {t`Edit`}
            </Menu.Item>
          </NeedsServer>
        )}
        {permissions.share && hasOthers && (
          <NeedsServer>
            <Menu.Item leftSection={<Share2 size={14} />} onClick={() => onOpen("share")}>
              {t`Share`}
            </Menu.Item>
          </NeedsServer>
        )}
        <Menu.Item leftSection={<CloudDownload size={14} />} onClick={() => onOpen("offline")}>
          {t`Available offline…`}
        </Menu.Item>
        {permissions.download && (
          <Menu.Item
            leftSection={<Download size={14} />}
            onClick={() => void saveOutput(getDatasetCoco, { params: { id } }, `${name}.json`)}
          >
            {t`Download COCO`}
          </Menu.Item>
        )}
        {permissions.delete && (
          <NeedsServer>
            <Menu.Item
              color="var(--mantine-color-error)"
              leftSection={<Trash2 size={14} />}
              onClick={() => onOpen("delete")}
            >
              {t`Delete`}
            </Menu.Item>
          </NeedsServer>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
