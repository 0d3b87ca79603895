import { ActionIcon, Menu } from "@mantine/core";
import { Download, EllipsisVertical, Pencil, Share2, Trash2 } from "lucide-react";
import { useState } from "react";
import { getDatasetCoco } from "../../../shared/api/export";
import type { Category } from "../../../shared/entities/category";
import type { DatasetCard } from "../../../shared/entities/dataset";
import { useSubmitOnce } from "../../components/forms/useSubmitOnce";
import { ConfirmModal } from "../../components/messages/ConfirmModal";
import { download } from "../../io/http/download";
import { url } from "../../io/http/request";
import { useDeleteDataset } from "../../queries/datasets";
import { EditDataset } from "./EditDataset";
import { ShareDataset } from "./ShareDataset";

interface Props {
  dataset: DatasetCard;
  categories: Category[];
  /** True while the dataset is from the previous page, and commands on it are disabled. */
  isStale: boolean;
}

/** Menu of a dataset card, with the commands that the user may run. */
export function DatasetMenu({ dataset, categories, isStale }: Props) {
  const [open, setOpen] = useState<"edit" | "share" | "delete" | null>(null);
  const remove = useDeleteDataset();
  const submitDelete = useSubmitOnce(remove, open === "delete");
  const { id, name, permissions } = dataset;
  const close = () => setOpen(null);
  return (
    <>
      <Menu position="bottom-end" width={180}>
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" size="sm" aria-label={`Menu of ${name}`} disabled={isStale}>
            <EllipsisVertical size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {permissions.edit && (
            <Menu.Item leftSection={<Pencil size={14} />} onClick={() => setOpen("edit")}>
              Edit
            </Menu.Item>
          )}
          {permissions.owner && (
            <Menu.Item leftSection={<Share2 size={14} />} onClick={() => setOpen("share")}>
              Share
            </Menu.Item>
          )}
          {permissions.download && (
            <Menu.Item
              leftSection={<Download size={14} />}
              onClick={() => download(url(getDatasetCoco, { params: { id } }), `${name}.json`)}
            >
              Download COCO
            </Menu.Item>
          )}
          {permissions.delete && (
            <Menu.Item
              color="var(--mantine-color-error)"
              leftSection={<Trash2 size={14} />}
              onClick={() => setOpen("delete")}
            >
              Delete
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      <EditDataset dataset={dataset} categories={categories} opened={open === "edit"} onClose={close} />
      <ShareDataset dataset={dataset} opened={open === "share"} onClose={close} />
      <ConfirmModal
        opened={open === "delete"}
        title="Delete dataset"
        confirm="Delete"
        isBusy={remove.isPending}
        isSent={remove.isPending}
        onConfirm={() => submitDelete(id, close)}
        onClose={close}
      >
        Delete the dataset <b>{name}</b> with its {dataset.numberImages} images and their annotations? It will be moved
        to the trash and can be restored from there.
      </ConfirmModal>
    </>
  );
}
