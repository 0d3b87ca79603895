import { Navigate } from "react-router-dom";
import { useSession } from "../../queries/session";
import { lastOpened, type Place } from "./lastOpened";

/** Redirects to the dataset or image that the user opened last. The installed app's shortcuts open this page. */
function LastPage({ place }: { place: Place }) {
  return <Navigate to={lastOpened(place, useSession())} replace />;
}

export const LastDatasetPage = () => <LastPage place="dataset" />;
export const LastImagePage = () => <LastPage place="annotate" />;
