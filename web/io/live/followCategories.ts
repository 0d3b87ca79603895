import type { CategoriesEvent } from "../../../shared/events";
import { socket } from "./socket";

/**
 * Calls `onChange` when another client has changed a category of the dataset, or which categories it lists. Only while
 * this tab has one of its images open. Returns a function that ends this.
 */
export function followCategories(datasetId: number, client: string, onChange: () => void): () => void {
  const live = socket();
  const handleEvent = ({ dataset_id, uuid }: CategoriesEvent) =>
    dataset_id === datasetId && uuid !== client && onChange();
  live.on("categories", handleEvent);
  return () => {
    live.off("categories", handleEvent);
  };
}
