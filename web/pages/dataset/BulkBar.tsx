import { Button, CloseButton, Group, Text } from "@mantine/core";
import { CheckCheck, FolderInput, Tags, Trash2, Undo2 } from "lucide-react";
import { useState } from "react";
import type { ImagesChanged } from "../../../shared/api/bulk";
import type { DatasetPermissions } from "../../../shared/entities/dataset";
import { ConfirmModal } from "../../components/ConfirmModal";
import { useDeleteImages, useLabelImages, useMarkImages, useMoveImages, type WhichImages } from "../../queries/bulk";
import { BulkLabels } from "./BulkLabels";
import { BulkMove } from "./BulkMove";
import { type Filter, queryOf } from "./filter";
import classes from "./ImagesTab.module.css";
import { type BulkWhat, useBulkReport } from "./useBulkReport";
import type { SelectedImages } from "./useSelectedImages";

interface Props {
  datasetId: number;
  filter: Filter;
  selected: SelectedImages;
  /** Pictures that fit the filter. */
  total: number;
  categories: { id: number; name: string }[];
  permissions: DatasetPermissions;
}

type Dialog = "delete" | "move" | "label";

/** What can be done to the ticked pictures. */
export function BulkBar({ datasetId, filter, selected, total, categories, permissions }: Props) {
  const [dialog, setDialog] = useState<Dialog>();
  const report = useBulkReport(datasetId);
  const remove = useDeleteImages(datasetId);
  const move = useMoveImages(datasetId);
  const label = useLabelImages(datasetId);
  const mark = useMarkImages(datasetId);
  const which = whichOf(selected, filter);
  const close = () => setDialog(undefined);
  const told = (what: BulkWhat) => ({
    onSuccess: (answer: ImagesChanged) => {
      close();
      selected.clear();
      report(what, answer);
    },
  });
  const images = `${selected.count.toLocaleString("en")} ${selected.count === 1 ? "image" : "images"}`;
  return (
    <div className={classes.barPlace}>
      <div className={classes.bar} role="toolbar" aria-label="Selected images">
        <Text size="sm" fw={600} aria-live="polite">
          {images} selected
        </Text>
        {selected.count < total && (
          <Button variant="subtle" size="compact-sm" onClick={selected.selectAll}>
            Select all {total.toLocaleString("en")}
          </Button>
        )}
        <Group gap={6} className={classes.barActions}>
          <Button
            variant="default"
            size="compact-sm"
            leftSection={<CheckCheck size={14} />}
            loading={mark.isPending}
            onClick={() => mark.mutate({ which, done: true }, told("mark"))}
          >
            Done
          </Button>
          <Button
            variant="default"
            size="compact-sm"
            leftSection={<Undo2 size={14} />}
            disabled={mark.isPending}
            onClick={() => mark.mutate({ which, done: false }, told("mark"))}
          >
            Not done
          </Button>
          <Button
            variant="default"
            size="compact-sm"
            leftSection={<Tags size={14} />}
            onClick={() => setDialog("label")}
          >
            Label
          </Button>
          <Button
            variant="default"
            size="compact-sm"
            leftSection={<FolderInput size={14} />}
            onClick={() => setDialog("move")}
          >
            Move
          </Button>
          {permissions.delete && (
            <Button
              color="red"
              variant="light"
              size="compact-sm"
              leftSection={<Trash2 size={14} />}
              onClick={() => setDialog("delete")}
            >
              Delete
            </Button>
          )}
        </Group>
        <CloseButton size="sm" onClick={selected.clear} aria-label="Clear the selection" className={classes.barClose} />
      </div>
      <BulkLabels
        opened={dialog === "label"}
        images={images}
        categories={categories}
        isBusy={label.isPending}
        onApply={(labels) => label.mutate({ which, ...labels }, told("label"))}
        onClose={close}
      />
      <BulkMove
        opened={dialog === "move"}
        images={images}
        folder={filter.folder}
        isBusy={move.isPending}
        onMove={(folder) => move.mutate({ which, folder }, told("move"))}
        onClose={close}
      />
      <ConfirmModal
        opened={dialog === "delete"}
        title="Delete images"
        confirm="Delete"
        isBusy={remove.isPending}
        onConfirm={() => remove.mutate(which, told("delete"))}
        onClose={close}
      >
        Delete <b>{images}</b> with their annotations? They go to the bin, from which they can be brought back.
      </ConfirmModal>
    </div>
  );
}

function whichOf({ isAll, ids }: SelectedImages, filter: Filter): WhichImages {
  if (!isAll) return { ids: [...ids] };
  const { order: _, ...rest } = queryOf(filter);
  return { filter: rest, except: [...ids] };
}
