import { useSyncExternalStore } from "react";
import { useStore } from "zustand";
import { createStore } from "zustand/vanilla";
import { getConnection, subscribeConnection } from "../../../io/live/connection";

/** `isReported`: true once the toast about the present loss of the connection has gone. */
const loss = createStore(() => ({ isReported: false }));

export const setLossReported = (isReported: boolean): void => loss.setState({ isReported });

/** Returns true while the toast about a lost connection is shown or is about to be, so that nothing repeats it. */
export function useIsLossBeingReported(): boolean {
  const connection = useSyncExternalStore(subscribeConnection, getConnection);
  const { isReported } = useStore(loss);
  return connection === "disconnected" && !isReported;
}
