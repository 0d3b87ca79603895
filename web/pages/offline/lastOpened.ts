import { useEffect } from "react";
import { journalName } from "../../io/journal/journalName";
import { isText, recall, remember } from "../../io/storage/localStore";
import { ownerOf, type Session, useSession } from "../../queries/session";

/** Places that the installed app's shortcuts open. */
export type Place = "dataset" | "annotate";

const keyOf = (place: Place, session: Session): string => `last ${place} ${journalName(ownerOf(session))}`;

/**
 * Remembers the address of the open dataset or image for the shortcuts, for each user. Does nothing while
 * `address` is undefined.
 */
export function useLastOpened(place: Place, address: string | undefined): void {
  const session = useSession();
  const key = keyOf(place, session);
  useEffect(() => {
    if (address !== undefined) remember(key, address);
  }, [key, address]);
}

/** Returns the address last opened; the datasets page's if there is none. */
export function lastOpened(place: Place, session: Session): string {
  const address = recall(keyOf(place, session), isText);
  return address?.startsWith(`/${place}/`) ? address : "/datasets";
}
