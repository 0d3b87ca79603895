import { Button, FileButton, Skeleton, Stack, Text, Title } from "@mantine/core";
import { FolderUp, Upload } from "lucide-react";
import type { OutputOf } from "../../../shared/api/call";
import type { getDataset } from "../../../shared/api/dataset";
import type { Task } from "../../../shared/entities/task";
import { FilterFields } from "./FilterFields";
import type { Filter } from "./filter";
import classes from "./Sidebar.module.css";
import { Subdirectories } from "./Subdirectories";
import { TaskButtons } from "./TaskButtons";
import { FOLDERS, type UploadFile, uploadFiles } from "./uploads";
import type { ChangeFilter } from "./useFilter";

interface Props {
  datasetId: number;
  page: OutputOf<typeof getDataset> | undefined;
  filter: Filter;
  onFilter: ChangeFilter;
  onOpenTask: (task: Task) => void;
  onUpload: (files: UploadFile[]) => void;
}

export function Sidebar({ datasetId, page, filter, onFilter, onOpenTask, onUpload }: Props) {
  return (
    <aside className={classes.sidebar} aria-label="Dataset">
      <div>
        <Title order={1} lineClamp={2} title={page?.dataset.name}>
          {page?.dataset.name ?? <Skeleton height={20} />}
        </Title>
        <Text size="xs" c="dimmed" mih={18}>
          {page &&
            `${page.total} ${page.total === 1 ? "image" : "images"}, ${page.pages} ${page.pages === 1 ? "page" : "pages"}`}
        </Text>
      </div>
      <Stack gap={6}>
        <FileButton multiple onChange={(files) => onUpload(uploadFiles(files))}>
          {(props) => (
            <Button {...props} fullWidth justify="flex-start" leftSection={<Upload size={15} />}>
              Upload images
            </Button>
          )}
        </FileButton>
        <FileButton
          multiple
          onChange={(files) => onUpload(uploadFiles(files))}
          inputProps={{ multiple: true, ...FOLDERS }}
        >
          {(props) => (
            <Button {...props} variant="default" fullWidth justify="flex-start" leftSection={<FolderUp size={15} />}>
              Upload folder
            </Button>
          )}
        </FileButton>
        <TaskButtons datasetId={datasetId} page={page} onOpenTask={onOpenTask} />
      </Stack>
      <Subdirectories
        names={page?.subdirectories}
        onOpen={(name) => onFilter({ folder: filter.folder ? `${filter.folder}/${name}` : name })}
      />
      <FilterFields categories={page?.categories ?? []} filter={filter} onFilter={onFilter} />
    </aside>
  );
}
