import { socket } from "./socket";

/** Calls `onChange` when this user's role in a dataset has changed. Returns a function that ends this. */
export function followRole(onChange: (datasetId: number) => void): () => void {
  const live = socket();
  const handleRole = ({ dataset_id }: { dataset_id: number }) => onChange(dataset_id);
  live.on("role", handleRole);
  return () => {
    live.off("role", handleRole);
  };
}
