import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import type { Listed, PresenceChange } from "../../shared/events";
import { socket } from "../io/socket";
import { subscribe } from "../io/subscribe";
import type { DatasetPage } from "./dataset";
import { datasetKey } from "./keys";

type Images = Pick<DatasetPage, "images">;

/** Keeps in step who is at which picture of the dataset's lists, also after a loss of the connection. */
export function usePresenceEvents(datasetId: number): void {
  const client = useQueryClient();
  useEffect(() => {
    const live = socket();
    const queryKey = [...datasetKey(datasetId), "images"];
    const update = (change: (page: DatasetPage) => DatasetPage) =>
      void client.setQueriesData<DatasetPage>({ queryKey }, (page) => page && change(page));
    const hear = (changes: PresenceChange[]) => update((page) => withChanges(page, changes));
    live.on("presence", hear);
    const unsubscribe = subscribe<Listed>(
      (answered) => live.emit("listing", { dataset_id: datasetId, active: true }, answered),
      (answer) => answer && update((page) => withListed(page, answer)),
    );
    return () => {
      unsubscribe();
      live.off("presence", hear);
      if (live.connected) live.emit("listing", { dataset_id: datasetId, active: false });
    };
  }, [client, datasetId]);
}

/** Returns the same page if no image on it has changed. */
export function withChanges<P extends Images>(page: P, changes: readonly PresenceChange[]): P {
  const byImage = new Map(changes.map((change) => [change.image_id, change]));
  return withNames(page, ({ id, annotating }) => {
    const change = byImage.get(id);
    if (!change) return annotating;
    const { joined, left } = change;
    return [...annotating.filter((name) => !left.includes(name) && !joined.includes(name)), ...joined];
  });
}

/** Returns the page with the users that the server listed, and no others. The same page if nothing has changed. */
export function withListed<P extends Images>(page: P, { images }: Listed): P {
  const byImage = new Map(images.map(({ image_id, usernames }) => [image_id, usernames]));
  return withNames(page, ({ id }) => byImage.get(id) ?? []);
}

function withNames<P extends Images>(page: P, namesOf: (image: Images["images"][number]) => string[]): P {
  const images = page.images.map((image) => {
    const annotating = namesOf(image);
    const isSame = annotating.join("\n") === image.annotating.join("\n");
    return isSame ? image : { ...image, annotating };
  });
  return images.some((image, i) => image !== page.images[i]) ? { ...page, images } : page;
}
