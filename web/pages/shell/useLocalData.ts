import { useEffect, useState } from "react";
import { setLocalAnswers } from "../../io/http/localAnswers";
import { setLocalImages } from "../../io/images/imageAddress";
import type { Owner } from "../../io/journal/journalName";

/**
 * Lets data of this browser take the place of a server that is away, while this user is logged in. The code for it is
 * loaded in the background.
 */
export function useLocalData({ installation, userId, username }: Owner): void {
  // In the state initialiser, so that the first calls of children find it.
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
  const loading = import("../../offline/openOffline").then(({ openOffline }) => openOffline(owner));
  setLocalAnswers(loading.then(({ answers }) => answers));
  setLocalImages(loading.then(({ images }) => images));
  const opened: Opened = {
    isClosed: false,
    close: () => {
      opened.isClosed = true;
      setLocalAnswers(undefined);
      setLocalImages(undefined);
      void loading.then(
        ({ close }) => close(),
        () => undefined,
      );
    },
  };
  return opened;
}
