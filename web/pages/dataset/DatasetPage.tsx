import { useParams } from "react-router-dom";
import { NotFoundPage } from "../common/NotFoundPage";
import { DatasetView } from "./DatasetView";

/** `/dataset/{id}`. Another dataset is another page: nothing of the one before stays. */
export function DatasetPage() {
  const { id = "" } = useParams();
  return /^\d{1,9}$/.test(id) ? <DatasetView key={id} id={Number(id)} /> : <NotFoundPage />;
}
