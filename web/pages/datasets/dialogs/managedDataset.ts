import type { Dataset, DatasetPermissions } from "../../../../shared/entities/dataset";

/** A dataset, as the dialogs that change it need it. */
export type ManagedDataset = Dataset & { permissions: DatasetPermissions; numberImages: number };
