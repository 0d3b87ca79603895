import { t } from "@lingui/core/macro";
import { ActionIcon, Menu } from "@mantine/core";
import { CloudDownload, Download, EllipsisVertical, Pencil, Share2, Trash2 } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { getDatasetCoco } from "../../../shared/api/export";
import type { Category } from "../../../shared/entities/category";
import type { DatasetCard } from "../../../shared/entities/dataset";
import { saveOutput } from "../../components/messages/saveOutput";
import { NeedsServer } from "../../components/offline/NeedsServer";
import { useInfo } from "../../queries/session";
import type { DialogName } from "./dialogs/DatasetDialogs";

const DatasetDialogs = lazy(async () => ({ default: (await import("./dialogs/DatasetDialogs")).DatasetDialogs }));
/** In a chunk of its own, because it is also used while the server is away. */
const OfflineDialog = lazy(async () => ({ default: (await import("../offline/OfflineDialog")).OfflineDialog }));

interface Props {
  dataset: DatasetCard;
  categories: Category[];
  /** True while the dataset is from the previous page, and commands on it are disabled. */
  isStale: boolean;
}

/** Menu of a dataset card, with the commands that the user may run. */
export function DatasetMenu({ dataset, categories, isStale }: Props) {
  const [open, setOpen] = useState<DialogName | null>(null);
  const [isOfflineOpen, setOfflineOpen] = useState(false);
  // The dialogs stay mounted once used, because commands may still be running when the dialogs are closed.
  const [isUsed, setUsed] = useState(false);
  if (open && !isUsed) setUsed(true);
  const { id, name, permissions } = dataset;
  const info = useInfo();
  const hasOthers = info.state !== "loaded" || info.data.login_enabled;
  return (
    <>
      <Menu position="bottom-end" width={200}>
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" size="sm" aria-label={t`Menu of ${name}`} disabled={isStale}>
            <EllipsisVertical size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {permissions.edit && (
            <NeedsServer>
              <Menu.Item leftSection={<Pencil size={14} />} onClick={() => setOpen("edit")}>
                {t`Edit`}
              </Menu.Item>
            </NeedsServer>
          )}
          {permissions.share && hasOthers && (
            <NeedsServer>
              <Menu.Item leftSection={<Share2 size={14} />} onClick={() => setOpen("share")}>
                {t`Share`}
              </Menu.Item>
            </NeedsServer>
          )}
          <Menu.Item leftSection={<CloudDownload size={14} />} onClick={() => setOfflineOpen(true)}>
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
                onClick={() => setOpen("delete")}
              >
                {t`Delete`}
              </Menu.Item>
            </NeedsServer>
          )}
        </Menu.Dropdown>
      </Menu>
      {isOfflineOpen && (
        <Suspense>
          <OfflineDialog datasetId={id} name={name} onClose={() => setOfflineOpen(false)} />
        </Suspense>
      )}
      {isUsed && (
        <Suspense>
          <DatasetDialogs dataset={dataset} categories={categories} open={open} onClose={() => setOpen(null)} />
        </Suspense>
      )}
    </>
  );
}
