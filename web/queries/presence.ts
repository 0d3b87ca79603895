import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import type { ServerEvents } from "../../shared/events";
import { socket } from "../io/socket";
import type { DatasetPage } from "./dataset";
import { datasetKey } from "./keys";

type PresenceEvent = Parameters<ServerEvents["annotating"]>[0];

/** Keeps in step who is at which picture of the dataset's lists. */
export function usePresenceEvents(datasetId: number): void {
  const client = useQueryClient();
  useEffect(() => {
    const live = socket();
    const queryKey = [...datasetKey(datasetId), "images"];
    const hear = (event: PresenceEvent) =>
      void client.setQueriesData<DatasetPage>({ queryKey }, (page) => page && withPresence(page, event));
    live.on("annotating", hear);
    return () => void live.off("annotating", hear);
  }, [client, datasetId]);
}

/** The same page where the event is of no picture on it. */
export function withPresence<P extends Pick<DatasetPage, "images">>(
  page: P,
  { image_id, username, active }: PresenceEvent,
): P {
  if (!page.images.some(({ id }) => id === image_id)) return page;
  const images = page.images.map((image) => {
    if (image.id !== image_id) return image;
    const others = image.annotating.filter((name) => name !== username);
    return { ...image, annotating: active ? [...others, username] : others };
  });
  return { ...page, images };
}
