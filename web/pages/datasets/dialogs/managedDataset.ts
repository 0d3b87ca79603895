import type { Dataset, DatasetPermissions } from "../../../../shared/entities/dataset";

/** A dataset with the fields that dialogs for changing it need. */
export type ManagedDataset = Dataset & { permissions: DatasetPermissions; numberImages: number };
