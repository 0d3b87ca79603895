import { useParams } from "react-router-dom";
import { NotFoundPage } from "../common/NotFoundPage";
import { DatasetView } from "./DatasetView";

/** `/dataset/{id}`. The key remounts the page for another dataset, so that no state is carried over. */
export function DatasetPage() {
  const { id = "" } = useParams();
  return /^\d{1,9}$/.test(id) ? <DatasetView key={id} id={Number(id)} /> : <NotFoundPage />;
}
