import { t } from "@lingui/core/macro";
import { useDisclosure } from "@mantine/hooks";
import { FileDown, FileUp, ImagePlus, ScanSearch, Shapes } from "lucide-react";
import { lazy, Suspense, useRef, useState } from "react";
import { TASK_GROUPS, type Task } from "../../../../shared/entities/task";
import { showFailure, showSuccess } from "../../../components/messages/toast";
import { type AboutDataset, useRefreshDataset, useScan } from "../../../queries/dataset";
import type { QueryState } from "../../../queries/queryState";
import { useSession } from "../../../queries/session";
import { ImportReport } from "../../importReport/ImportReport";
import { ExportDialog } from "../export/ExportDialog";
import { TaskButton } from "./TaskButton";
import { generateText, scanText, undoneText } from "./taskTexts";
import { useBoxTask } from "./useBoxTask";
import { useButtonTask } from "./useButtonTask";

const GenerateDialog = lazy(async () => ({ default: (await import("./GenerateDialog")).GenerateDialog }));
const ImportDialog = lazy(async () => ({ default: (await import("./ImportDialog")).ImportDialog }));

interface Props {
  datasetId: number;
  about: QueryState<AboutDataset>;
  onOpenTask: (task: Task) => void;
}

/** The sidebar's buttons Generate, Scan, Import COCO and Export COCO, with their dialogs. */
export function TaskButtons({ datasetId, about, onOpenTask }: Props) {
  const known = about.state === "loaded" ? about.data : undefined;
  const refresh = useRefreshDataset(datasetId);
  const { user } = useSession();
  const picker = useRef<HTMLInputElement>(null);
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
  const boxTask = useBoxTask(datasetId);

  const handleFile = (event: React.ChangeEvent<HTMLInputElement>) => {
    setFile(event.currentTarget.files?.[0]);
    event.currentTarget.value = "";
  };
  const { generate: mayGenerate = false, download: mayDownload = false } = known?.dataset.permissions ?? {};
  return (
    <>
      {mayGenerate && (
        <TaskButton
          icon={ImagePlus}
          label={t`Generate`}
          running={t`Generating`}
          task={generateTask}
          starting={false}
          onStart={generating.open}
          onOpenTask={onOpenTask}
        />
      )}
      <TaskButton
        icon={ScanSearch}
        label={t`Scan`}
        running={t`Scanning`}
        task={scanTask}
        starting={scan.isPending}
        onStart={() => scan.mutate(undefined)}
        onOpenTask={onOpenTask}
        disabled={!known}
      />
      <TaskButton
        icon={FileUp}
        label={t`Import COCO`}
        running={t`Importing`}
        task={importTask}
        starting={false}
        onStart={() => picker.current?.click()}
        onOpenTask={onOpenTask}
        disabled={!known}
      />
      <input
        ref={picker}
        type="file"
        accept=".json,.zip,application/json,application/zip"
        hidden
        onChange={handleFile}
        aria-label={t`COCO file`}
      />
      {mayDownload && (
        <TaskButton
          icon={FileDown}
          label={t`Export COCO`}
          running={t`Exporting`}
          task={exportTask}
          starting={false}
          onStart={exporting.open}
          onOpenTask={onOpenTask}
        />
      )}
      {boxTask && (
        <TaskButton
          icon={Shapes}
          label={t`Boxes`}
          running={boxTask.name.startsWith("Restoring") ? t`Restoring boxes` : t`Outlining boxes`}
          task={boxTask}
          starting={false}
          onStart={() => undefined}
          onOpenTask={onOpenTask}
        />
      )}
      {known && (
        <ExportDialog
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
