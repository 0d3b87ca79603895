import type { Generated } from "kysely";
import type { Json } from "../../../shared/entities/scalars";
import type { JsonColumn, Nullable, Time } from "./columns";

/** One row, see db/installation.ts. */
export interface InstallationTable {
  one: Generated<boolean>;
  id: Generated<string>;
  origin: "new" | "updated" | "restored";
  stamp: string;
}

/** See middleware/doOnce.ts. */
export interface CommandsTable {
  key: string;
  holder: string;
  until: Time;
  is_committed: Generated<boolean>;
  outcome: Nullable<string>;
}

/** See features/migration/store/source.ts. */
export interface MigratedRowsTable {
  source: string;
  collection: string;
  old_id: string;
  new_id: number;
  details: JsonColumn<{ [key: string]: Json }>;
}
