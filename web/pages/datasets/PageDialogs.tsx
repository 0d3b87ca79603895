import { CreateDataset } from "./CreateDataset";
import { DatasetsHelp } from "./DatasetsHelp";
import { ImportDataset } from "./import/ImportDataset";

export type PageDialog = "create" | "import" | "help";

/** The dialogs of the datasets page. */
export function PageDialogs({ open, onClose }: { open: PageDialog | null; onClose: () => void }) {
  return (
    <>
      <CreateDataset opened={open === "create"} onClose={onClose} />
      {open === "import" && <ImportDataset onClose={onClose} />}
      <DatasetsHelp opened={open === "help"} onClose={onClose} />
    </>
  );
}
