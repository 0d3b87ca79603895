import { t } from "@lingui/core/macro";
import { useDisclosure } from "@mantine/hooks";
import { ArrowLeftRight, FileDown, FileUp, FolderUp, ImagePlus, Plus, ScanSearch, Upload } from "lucide-react";
import { lazy, Suspense, useRef, useState } from "react";
import { TASK_GROUPS, type Task } from "../../../../shared/entities/task";
import { showFailure, showSuccess } from "../../../components/messages/toast";
import { type AboutDataset, useRefreshDataset, useScan } from "../../../queries/dataset";
import type { QueryState } from "../../../queries/queryState";
import { useSession } from "../../../queries/session";
import { ImportReport } from "../../importReport/ImportReport";
import { FOLDERS, type UploadFile, uploadFiles } from "../../uploads/uploads";
import { ExportDialog } from "../export/ExportDialog";
import { SidebarEntry, SidebarMenu } from "./SidebarMenu";
import { TaskProgress } from "./TaskProgress";
import { generateText, scanText, undoneText } from "./taskTexts";
import { useBoxTask } from "./useBoxTask";
import { useButtonTask } from "./useButtonTask";

const GenerateDialog = lazy(async () => ({ default: (await import("./GenerateDialog")).GenerateDialog }));
const ImportDialog = lazy(async () => ({ default: (await import("./ImportDialog")).ImportDialog }));

interface Props {
  datasetId: number;
  about: QueryState<AboutDataset>;
  onOpenTask: (task: Task) => void;
  onUpload: (files: UploadFile[]) => void;
}

/**
 * The sidebar's menus for adding images and for import and export, with their dialogs and the progress of their tasks.
 */
export function SidebarMenus({ datasetId, about, onOpenTask, onUpload }: Props) {
  const known = about.state === "loaded" ? about.data : undefined;
  const refresh = useRefreshDataset(datasetId);
  const { user } = useSession();
  const images = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  const coco = useRef<HTMLInputElement>(null);
  const [file, setFile] = useState<File>();
  const [isGenerating, generating] = useDisclosure(false);
  const [isExporting, exporting] = useDisclosure(false);
  const [isReporting, reporting] = useDisclosure(false);
  const scan = useScan(datasetId);

  const watch = (group: string, title: string, onDone?: (task: Task) => void) => ({
    datasetId,
    group,
    onEnd: (task: Task) => {
      void refresh();
      if (task.state === "failed") showFailure(title, t`The task failed. See its log under Tasks.`);
      // Other users' tasks are not reported.
      if (task.state === "done" && task.creator === user.username) onDone?.(task);
    },
  });
  const handleImported = ({ result }: Task) => {
    const undone = undoneText(result);
    if (undone === undefined) reporting.open();
    else showSuccess(t`Import undone`, undone);
  };
  const generateTask = useButtonTask(
    watch(TASK_GROUPS.generate, t`Generating Dataset`, ({ result }) => showSuccess(t`Generated`, generateText(result))),
  );
  const scanTask = useButtonTask(
    watch(TASK_GROUPS.scan, t`Scanning Dataset`, ({ result }) => showSuccess(t`Scanned`, scanText(result))),
  );
  const importTask = useButtonTask(watch(TASK_GROUPS.import, t`Importing COCO`, handleImported));
  const exportTask = useButtonTask(
    watch(TASK_GROUPS.export, t`Exporting COCO`, () =>
      showSuccess(t`Exporting COCO`, t`The export is ready on the Exports tab.`),
    ),
  );
  useButtonTask(watch(TASK_GROUPS.upload, t`Uploading`));
  useButtonTask(
    watch(TASK_GROUPS.version, t`Dataset Version`, () =>
      showSuccess(t`Dataset Version`, t`The version is on the Exports tab.`),
    ),
  );
  const boxTask = useBoxTask(datasetId);

  const handleImages = (event: React.ChangeEvent<HTMLInputElement>) => {
    onUpload(uploadFiles([...(event.currentTarget.files ?? [])]));
    event.currentTarget.value = "";
  };
  const handleFile = (event: React.ChangeEvent<HTMLInputElement>) => {
    setFile(event.currentTarget.files?.[0]);
    event.currentTarget.value = "";
  };
  const { generate: mayGenerate = false, download: mayDownload = false } = known?.dataset.permissions ?? {};
  // The menus are there before the permissions are known, since few users are viewers.
  const mayEdit = known?.dataset.permissions.edit ?? true;
  const boxes = boxTask?.name.startsWith("Restoring") ? t`Restoring boxes` : t`Outlining boxes`;
  return (
    <>
      {mayEdit && (
        <SidebarMenu icon={Plus} label={t`Add images`} isPrimary>
          <SidebarEntry
            icon={Upload}
            label={t`Upload images`}
            note={t`Images and zip files`}
            onChoose={() => images.current?.click()}
          />
          <SidebarEntry icon={FolderUp} label={t`Upload folder`} onChoose={() => folder.current?.click()} />
          {mayGenerate && (
            <SidebarEntry
              icon={ImagePlus}
              label={t`Generate`}
              note={t`Find openly licensed images`}
              disabled={generateTask !== undefined}
              onChoose={generating.open}
            />
          )}
          <SidebarEntry
            icon={ScanSearch}
            label={t`Scan`}
            note={t`Find new files in the folder`}
            disabled={!known || scanTask !== undefined || scan.isPending}
            onChoose={() => scan.mutate(undefined)}
          />
        </SidebarMenu>
      )}
      {mayEdit && (
        <SidebarMenu icon={ArrowLeftRight} label={t`Import / export`}>
          <SidebarEntry
            icon={FileUp}
            label={t`Import COCO`}
            note={t`Also YOLO and Pascal VOC`}
            disabled={!known || importTask !== undefined}
            onChoose={() => coco.current?.click()}
          />
          {mayDownload && (
            <SidebarEntry
              icon={FileDown}
              label={t`Export COCO`}
              note={t`Also YOLO, Pascal VOC and masks`}
              disabled={exportTask !== undefined}
              onChoose={exporting.open}
            />
          )}
        </SidebarMenu>
      )}

      <input ref={images} type="file" multiple hidden onChange={handleImages} aria-label={t`Images`} />
      <input ref={folder} type="file" multiple {...FOLDERS} hidden onChange={handleImages} aria-label={t`Folder`} />
      <input
        ref={coco}
        type="file"
        accept=".json,.zip,application/json,application/zip"
        hidden
        onChange={handleFile}
        aria-label={t`COCO file`}
      />
      <TaskProgress running={t`Generating`} task={generateTask} onOpenTask={onOpenTask} />
      <TaskProgress running={t`Scanning`} task={scanTask} isStarting={scan.isPending} onOpenTask={onOpenTask} />
      <TaskProgress running={t`Importing`} task={importTask} onOpenTask={onOpenTask} />
      <TaskProgress running={t`Exporting`} task={exportTask} onOpenTask={onOpenTask} />
      <TaskProgress running={boxes} task={boxTask} onOpenTask={onOpenTask} />
      {known && (
        <ExportDialog
          isReviewed={known.dataset.review}
          datasetId={datasetId}
          name={known.dataset.name}
          categories={known.categories}
          opened={isExporting}
          onClose={exporting.close}
        />
      )}
      {isGenerating && (
        <Suspense>
          <GenerateDialog datasetId={datasetId} onClose={generating.close} />
        </Suspense>
      )}
      {file && (
        <Suspense>
          <ImportDialog datasetId={datasetId} file={file} onClose={() => setFile(undefined)} />
        </Suspense>
      )}
      <ImportReport datasetId={datasetId} opened={isReporting} onClose={reporting.close} />
    </>
  );
}
