import { useEffect, useState } from "react";
import { OnDemand } from "../../../shared/async/onDemand";
import { loadLate } from "../../components/late/loadLate";
import { setLocalAnswers } from "../../io/http/localAnswers";
import { setLocalImages } from "../../io/images/imageAddress";
import type { Owner } from "../../io/journal/journalName";

/**
 * Lets data in this browser replace responses while the server is away and this user is logged in. Loads the code for
 * it after the first page, or before that if the server is away.
 */
export function useLocalData({ installation, userId, username }: Owner): void {
  // Opened in the state initialiser, so that the first calls of child components find the data.
  const [first] = useState(() => open({ installation, userId, username }));
  useEffect(() => {
    const opened = first.isClosed ? open({ installation, userId, username }) : first;
    return () => opened.close();
  }, [first, installation, userId, username]);
}

interface Opened {
  isClosed: boolean;
  close: () => void;
}

function open(owner: Owner): Opened {
  const offline = new OnDemand(async () => {
    const { openOffline } = await import("../../offline/openOffline");
    if (opened.isClosed) throw new Error("The session has ended.");
    return openOffline(owner);
  });
  const answers = new OnDemand(async () => (await offline.get()).answers);
  const opened: Opened = {
    isClosed: false,
    close: () => {
      opened.isClosed = true;
      setLocalAnswers(undefined);
      setLocalImages(undefined);
      void offline.loaded.then(({ close }) => close());
    },
  };
  setLocalAnswers(answers);
  setLocalImages(async () => (await offline.get()).images);
  void loadLate(async () => {
    if (!opened.isClosed) await answers.get().catch(() => undefined);
  });
  return opened;
}
