import { useSyncExternalStore } from "react";
import { type Connection, getConnection, subscribeConnection } from "../../../io/connection";

export const useConnection = (): Connection => useSyncExternalStore(subscribeConnection, getConnection);
