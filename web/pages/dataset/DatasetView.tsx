import { Tabs } from "@mantine/core";
import { Download, Images } from "lucide-react";
import { useState } from "react";
import { Group, Panel, Separator } from "react-resizable-panels";
import type { Task } from "../../../shared/entities/task";
import { LoadError } from "../../components/LoadError";
import { useLastPageAtMost, usePageInQuery } from "../../components/usePageInQuery";
import { isText, recall, remember } from "../../io/localStore";
import { RequestError } from "../../io/request";
import { useDatasetPage } from "../../queries/dataset";
import { NotFoundPage } from "../NotFoundPage";
import { PageTitle } from "../shell/PageTitle";
import { TaskDrawer } from "../tasks/TaskDrawer";
import classes from "./DatasetView.module.css";
import { DropPictures } from "./DropPictures";
import { ExportsTab } from "./ExportsTab";
import { queryOf } from "./filter";
import { ImagesTab } from "./ImagesTab";
import { Sidebar } from "./Sidebar";
import { UploadPanel } from "./UploadPanel";
import type { UploadFile } from "./uploads";
import { useFilter } from "./useFilter";
import { useSidebarWidth } from "./useSidebarWidth";
import { useUploads } from "./useUploads";

const TABS = ["images", "exports"];
const TAB = "dataset.tab";

/** A dataset: the sidebar with what one can do, and tabs with what it has. Pictures dropped anywhere are uploaded. */
export function DatasetView({ id }: { id: number }) {
  const [filter, changeFilter] = useFilter();
  const [page, setPage] = usePageInQuery();
  const list = useDatasetPage(id, queryOf(filter), page);
  const { data, error } = list;
  useLastPageAtMost(list.isPlaceholderData ? undefined : data?.pages);
  const uploads = useUploads(id);
  const handleUpload = (files: UploadFile[]) => uploads.queue.add(files, filter.folder);
  const sidebar = useSidebarWidth();
  const [task, setTask] = useState<Task>();
  const [tab, setTab] = useState(() => recall(TAB, isTab) ?? "images");

  const handleTab = (chosen: string | null) => {
    if (!chosen) return;
    setTab(chosen);
    remember(TAB, chosen);
  };
  if (error instanceof RequestError && error.status === 404) return <NotFoundPage />;
  if (error && !data) return <LoadError error={error} onRetry={() => void list.refetch()} />;
  return (
    <>
      <PageTitle>{data?.dataset.name ?? "Dataset"}</PageTitle>
      <Group className={classes.columns}>
        <Panel
          id="sidebar"
          defaultSize={sidebar.width}
          minSize={sidebar.min}
          maxSize={sidebar.max}
          onResize={sidebar.handleResize}
          groupResizeBehavior="preserve-pixel-size"
        >
          <Sidebar
            datasetId={id}
            page={data}
            filter={filter}
            onFilter={changeFilter}
            onOpenTask={setTask}
            onUpload={handleUpload}
          />
        </Panel>
        <Separator className={classes.separator} aria-label="Width of the sidebar" />
        <Panel id="content" minSize="30%">
          <Tabs value={tab} onChange={handleTab} keepMounted={false} className={classes.tabs}>
            <Tabs.List px="md">
              <Tabs.Tab value="images" leftSection={<Images size={14} />}>
                Images
              </Tabs.Tab>
              <Tabs.Tab value="exports" leftSection={<Download size={14} />}>
                Exports
              </Tabs.Tab>
            </Tabs.List>
            <Tabs.Panel value="images" className={classes.panel}>
              <ImagesTab
                list={list}
                filter={filter}
                onFilter={changeFilter}
                page={page}
                onPage={setPage}
                onUpload={handleUpload}
              />
            </Tabs.Panel>
            <Tabs.Panel value="exports" className={classes.panel}>
              <ExportsTab datasetId={id} datasetName={data?.dataset.name ?? ""} />
            </Tabs.Panel>
          </Tabs>
        </Panel>
      </Group>
      <DropPictures onDrop={handleUpload} />
      <UploadPanel {...uploads} onRetry={handleUpload} />
      <TaskDrawer task={task} onClose={() => setTask(undefined)} />
    </>
  );
}

const isTab = (value: unknown): value is string => isText(value) && TABS.includes(value);
