import { DatasetsHelp } from "./DatasetsHelp";
import { DemoDataset } from "./demo/DemoDataset";
import { CreateDataset } from "./dialogs/CreateDataset";
import { ImportDataset } from "./import/ImportDataset";

export type PageDialog = "create" | "import" | "demo" | "help";

interface Props {
  open: PageDialog | null;
  onClose: () => void;
  /** Opens the dialog of the demo dataset. */
  onDemo: () => void;
}

/** The dialogs of the datasets page. */
export function PageDialogs({ open, onClose, onDemo }: Props) {
  return (
    <>
      <CreateDataset opened={open === "create"} onClose={onClose} />
      {open === "import" && <ImportDataset onClose={onClose} />}
      {open === "demo" && <DemoDataset onClose={onClose} />}
      <DatasetsHelp opened={open === "help"} onClose={onClose} onDemo={onDemo} />
    </>
  );
}
