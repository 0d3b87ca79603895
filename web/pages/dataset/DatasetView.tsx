import { t } from "@lingui/core/macro";
import { Tabs } from "@mantine/core";
import { lazy, Suspense, useMemo, useState } from "react";
import type { Task } from "../../../shared/entities/task";
import { useLastPageAtMost, usePageInQuery } from "../../components/lists/usePageInQuery";
import { LoadError } from "../../components/messages/LoadError";
import { useIsAway } from "../../components/offline/away";
import { RequestError } from "../../io/http/request";
import { useFollowWork } from "../../queries/assignment/followWork";
import { useAboutDataset, useDatasetPage } from "../../queries/dataset";
import { useKnownName } from "../../queries/datasets";
import { usePresence } from "../../queries/presence";
import { asOutdated, type Failed } from "../../queries/queryState";
import { NotFoundPage } from "../common/NotFoundPage";
import { PageTitle } from "../common/PageTitle";
import { useLastOpened } from "../offline/lastOpened";
import { TaskDrawer } from "../tasks/TaskDrawer";
import { DropImages } from "../uploads/DropImages";
import { UploadPanel } from "../uploads/UploadPanel";
import type { UploadFile } from "../uploads/uploads";
import { useUploads } from "../uploads/useUploads";
import { Columns } from "./Columns";
import { ConsensusTab } from "./consensus/ConsensusTab";
import classes from "./DatasetView.module.css";
import { ExportsTab } from "./export/ExportsTab";
import { isNarrowed, queryOf } from "./filter/filter";
import { useFilter } from "./filter/useFilter";
import { ImagesTab } from "./images/ImagesTab";
import { MembersTab } from "./members/MembersTab";
import { QualityTab } from "./quality/QualityTab";
import { SettingsTab } from "./SettingsTab";
import { Sidebar } from "./sidebar/Sidebar";
import { StatisticsTab } from "./statistics/StatisticsTab";
import { TabList } from "./TabList";
import type { TabName } from "./tabOrder";
import { useChangeTask } from "./tasks/useChangeTask";
import { useGiveTask } from "./tasks/useGiveTask";
import { useAfterPress } from "./useAfterPress";
import { useTabs } from "./useTabs";

const OfflineDialog = lazy(async () => ({ default: (await import("../offline/OfflineDialog")).OfflineDialog }));

/** The tab Consensus is hidden as long as no image was given to several annotators. */
const WITHOUT_CONSENSUS: readonly TabName[] = ["consensus"];
const NO_TABS: readonly TabName[] = [];

/** A dataset: a sidebar with commands and filters, and tabs with its contents. Files dropped anywhere are uploaded. */
export function DatasetView({ id }: { id: number }) {
  const [filter, changeFilter] = useFilter();
  const [page, setPage] = usePageInQuery();
  const chosen = useMemo(() => ({ query: queryOf(filter), page }), [filter, page]);
  const sent = useAfterPress(chosen);
  const query = useDatasetPage(id, sent.query, sent.page);
  const list = sent === chosen ? query : asOutdated(query);
  const about = useAboutDataset(id, query);
  const dataset = about.state === "loaded" ? about.data.dataset : undefined;
  const knownName = useKnownName(id);
  const name = dataset?.name ?? knownName;
  const mayEdit = dataset?.permissions.edit ?? true;
  const presence = usePresence(id);
  useFollowWork(id);
  useChangeTask(id);
  useGiveTask(id);
  useLastPageAtMost(list.state === "loaded" ? list.data.pages : undefined);
  const uploads = useUploads(id);
  const handleUpload = (files: UploadFile[]) => uploads.queue.add(files, filter.folder);
  const [task, setTask] = useState<Task>();
  const [isOfflineOpen, setOfflineOpen] = useState(false);
  const hasConsensus = dataset?.has_consensus ?? false;
  const tabs = useTabs(hasConsensus ? NO_TABS : WITHOUT_CONSENSUS);
  useLastOpened("dataset", dataset && `/dataset/${id}`);
  const isAway = useIsAway();

  const handleCategory = (category: number) => {
    changeFilter({ folder: "", contains: "", annotated: true, categories: [category] });
    tabs.choose("images");
  };
  if (query.state !== "loading" && isAbsent(query.error)) return <NotFoundPage />;
  const failure = about.state === "failed" && <DatasetError query={about} />;
  return (
    <>
      <PageTitle>{name ?? t`Dataset`}</PageTitle>
      <Columns
        title={name ?? (failure ? t`Dataset` : undefined)}
        sidebar={
          <Sidebar
            datasetId={id}
            name={name}
            isListShown={tabs.tab === "images"}
            list={list}
            about={about}
            filter={filter}
            onFilter={changeFilter}
            onOpenTask={setTask}
            onUpload={handleUpload}
            onOffline={() => setOfflineOpen(true)}
          />
        }
      >
        <Tabs value={tabs.tab} onChange={tabs.choose} keepMounted={false} className={classes.tabs}>
          <TabList shown={tabs.tab} order={tabs.order} onMove={tabs.move} />
          <Tabs.Panel value="images" className={classes.panel}>
            <ImagesTab
              list={list}
              about={about}
              presence={presence}
              filter={filter}
              onFilter={changeFilter}
              page={page}
              onPage={setPage}
              onUpload={handleUpload}
            />
          </Tabs.Panel>
          <Tabs.Panel value="exports" className={classes.panel}>
            {failure || <ExportsTab datasetId={id} permissions={dataset?.permissions} />}
          </Tabs.Panel>
          <Tabs.Panel value="members" className={classes.panel}>
            <MembersTab datasetId={id} />
          </Tabs.Panel>
          <Tabs.Panel value="statistics" className={classes.panel}>
            <StatisticsTab datasetId={id} onCategory={handleCategory} />
          </Tabs.Panel>
          <Tabs.Panel value="quality" className={classes.panel}>
            <QualityTab datasetId={id} mayEdit={mayEdit} onOpenTask={setTask} />
          </Tabs.Panel>
          {hasConsensus && (
            <Tabs.Panel value="consensus" className={classes.panel}>
              <ConsensusTab datasetId={id} />
            </Tabs.Panel>
          )}
          <Tabs.Panel value="settings" className={classes.panel}>
            {failure || <SettingsTab datasetId={id} about={about.state === "loaded" ? about.data : undefined} />}
          </Tabs.Panel>
        </Tabs>
      </Columns>
      {!isAway && mayEdit && <DropImages onDrop={handleUpload} />}
      <UploadPanel {...uploads} />
      {isOfflineOpen && dataset && (
        <Suspense>
          <OfflineDialog
            datasetId={id}
            name={dataset.name}
            list={{
              query: queryOf(filter),
              page,
              total: list.state === "loaded" ? list.data.total : undefined,
              isNarrowed: filter.folder !== "" || isNarrowed(filter),
            }}
            onClose={() => setOfflineOpen(false)}
          />
        </Suspense>
      )}
      <TaskDrawer task={task} onClose={() => setTask(undefined)} />
    </>
  );
}

function DatasetError({ query }: { query: Failed }) {
  return (
    <LoadError title={t`This dataset could not be loaded`} error={query.error} onRetry={() => void query.retry()} />
  );
}

const isAbsent = (error: Error | null) => error instanceof RequestError && error.status === 404;
