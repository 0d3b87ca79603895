import { Navigate } from "react-router-dom";
import { useSession } from "../../queries/session";
import { lastOpened, type Place } from "./lastOpened";

/** Addresses of the app's shortcuts: go to the dataset or image that the user opened last. */
function LastPage({ place }: { place: Place }) {
  return <Navigate to={lastOpened(place, useSession())} replace />;
}

export const LastDatasetPage = () => <LastPage place="dataset" />;
export const LastImagePage = () => <LastPage place="annotate" />;
