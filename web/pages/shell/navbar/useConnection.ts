import { useSyncExternalStore } from "react";
import { type Connection, getConnection, subscribeConnection } from "../../../io/live/connection";

export const useConnection = (): Connection => useSyncExternalStore(subscribeConnection, getConnection);
