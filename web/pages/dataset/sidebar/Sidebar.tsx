import { plural, t } from "@lingui/core/macro";
import { Button, Skeleton, Stack, Text, Title } from "@mantine/core";
import { CloudDownload } from "lucide-react";
import { useMemo } from "react";
import type { Task } from "../../../../shared/entities/task";
import { StageCounts } from "../../../components/stages/StageCounts";
import { type AboutDataset, assignableNames, type DatasetPage, memberNames } from "../../../queries/dataset";
import { type QueryState, shownOf } from "../../../queries/queryState";
import { useSession } from "../../../queries/session";
import { CopyMark } from "../../offline/CopyMark";
import type { UploadFile } from "../../uploads/uploads";
import type { Filter } from "../filter/filter";
import type { ChangeFilter } from "../filter/useFilter";
import { SidebarMenus } from "../tasks/SidebarMenus";
import { FilterFields } from "./FilterFields";
import { NextImage } from "./NextImage";
import classes from "./Sidebar.module.css";
import { Subdirectories } from "./Subdirectories";

interface Props {
  datasetId: number;
  /** Undefined until known. */
  name: string | undefined;
  /** True while the images are shown, which the subdirectories and filters narrow. */
  isListShown: boolean;
  list: QueryState<DatasetPage>;
  about: QueryState<AboutDataset>;
  filter: Filter;
  onFilter: ChangeFilter;
  onOpenTask: (task: Task) => void;
  onUpload: (files: UploadFile[]) => void;
  /** Opens the dialog for the copy in this browser. */
  onOffline: () => void;
}

export function Sidebar({
  datasetId,
  name,
  isListShown,
  list,
  about,
  filter,
  onFilter,
  onOpenTask,
  onUpload,
  onOffline,
}: Props) {
  const shown = shownOf(list);
  const stages = about.state === "loaded" ? about.data.dataset.stages : undefined;
  const me = useSession().user.username;
  const members = useMemo(() => {
    const all = about.state === "loaded" ? memberNames(about.data.dataset) : [];
    return [...all.filter((name) => name === me), ...all.filter((name) => name !== me)];
  }, [about, me]);
  const isAssignable = about.state === "loaded" && assignableNames(about.data.dataset).includes(me);
  return (
    <aside className={classes.sidebar} aria-label={t`Dataset`}>
      <div>
        <Title order={1} lineClamp={2} title={name}>
          {name ?? (about.state === "failed" ? t`Dataset` : <Skeleton height="1lh" />)}
        </Title>
        <Text size="xs" c="dimmed" mih={18} aria-busy={list.state === "loading"}>
          {list.state === "loaded" && sizeText(list.data)}
        </Text>
        <StageCounts datasetId={datasetId} counts={stages} />
      </div>
      <Stack gap={6}>
        {isAssignable && members.length > 1 && <NextImage datasetId={datasetId} />}
        <SidebarMenus datasetId={datasetId} about={about} onOpenTask={onOpenTask} onUpload={onUpload} />
        <Button
          variant="default"
          fullWidth
          justify="flex-start"
          leftSection={<CloudDownload size={15} />}
          rightSection={<CopyMark datasetId={datasetId} />}
          className={classes.offline}
          disabled={about.state !== "loaded"}
          onClick={onOffline}
        >
          {t`Available offline…`}
        </Button>
      </Stack>
      {isListShown && about.state !== "failed" && (
        <>
          {list.state !== "failed" && (
            <Subdirectories
              names={shown?.data.subdirectories}
              isStale={shown?.isStale ?? true}
              onOpen={(name) => onFilter({ folder: filter.folder ? `${filter.folder}/${name}` : name })}
            />
          )}
          <FilterFields
            datasetId={datasetId}
            categories={about.state === "loaded" ? about.data.categories : undefined}
            members={members}
            me={isAssignable ? me : undefined}
            hasStages={stages != null}
            filter={filter}
            onFilter={onFilter}
          />
        </>
      )}
    </aside>
  );
}

function sizeText({ total, pages }: DatasetPage): string {
  const images = plural(total, { one: "# image", other: "# images" });
  const allPages = plural(pages, { one: "# page", other: "# pages" });
  return t`${images}, ${allPages}`;
}
