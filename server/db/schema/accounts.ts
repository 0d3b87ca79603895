import type { Generated } from "kysely";
import type { Metadata } from "../../../shared/entities/scalars";
import type { JsonColumn, MadeTime, Nullable, Time } from "./columns";

export interface UsersTable {
  id: Generated<number>;
  username: string;
  name: Generated<string>;
  email: Generated<string>;
  password_hash: Nullable<string>;
  is_admin: Generated<boolean>;
  preferences: JsonColumn<Metadata>;
  created_at: MadeTime;
  last_seen: Nullable<Date>;
  closed_at: Nullable<Date>;
}

export interface SessionsTable {
  id: string;
  user_id: number;
  created_at: MadeTime;
  expires_at: Time;
}

export interface ApiTokensTable {
  id: Generated<number>;
  user_id: number;
  name: string;
  prefix: string;
  hash: string;
  created_at: MadeTime;
  last_used: Nullable<Date>;
  expires_at: Nullable<Date>;
}

export interface AttemptsTable {
  key: string;
  level: number;
  forget_seconds: number;
  counted_at: Time;
}

export interface KnownAddressesTable {
  key: string;
  user_id: number;
  seen_at: Time;
}

export interface ClientsTable {
  id: string;
  user_id: Nullable<number>;
  created_at: MadeTime;
}
