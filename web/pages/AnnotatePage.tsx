import { useEffect, useState } from "react";
import { useLocation, useNavigate, useParams, useSearchParams } from "react-router-dom";
import { getImage } from "../../shared/api/image";
import { Annotator } from "../annotator/Annotator";
import { type OpenPicture, openPicture } from "../annotator/editor/open";
import { LoadError } from "../components/messages/LoadError";
import { showFailure, showWarning, showWithAction } from "../components/messages/toast";
import { useShowPageLink } from "../components/pageLink";
import { RequestError, url } from "../io/http/request";
import { ownerOf, type Session, useEndSession, useSession } from "../queries/session";
import { Loading } from "./common/Loading";
import { NotFoundPage } from "./common/NotFoundPage";
import { PageTitle } from "./common/PageTitle";

/** `/annotate/{id}`, with the list one came from in the query. Another picture is another editor. */
export function AnnotatePage() {
  const { id = "" } = useParams();
  const session = useSession();
  const [attempt, setAttempt] = useState(0);
  if (!/^\d{1,9}$/.test(id)) return <NotFoundPage />;
  const handleRetry = () => setAttempt(attempt + 1);
  return <Picture key={`${id} ${attempt}`} id={Number(id)} session={session} onRetry={handleRetry} />;
}

function Picture({ id, session, onRetry }: { id: number; session: Session; onRetry: () => void }) {
  const { user, installation } = session;
  const [open, setOpen] = useState<OpenPicture | null>(null);
  const [failure, setFailure] = useState<RequestError | null>(null);
  const [search] = useSearchParams();
  const query = search.toString();
  const navigate = useNavigate();
  const endSession = useEndSession();
  const isFirst = useLocation().key === "default";
  useEffect(() => {
    const abort = new AbortController();
    const shown = preload(id);
    const opened = openPicture({
      imageId: id,
      walk: Object.fromEntries(new URLSearchParams(query)),
      user,
      owner: ownerOf({ user, installation }),
      signal: abort.signal,
      tell: (kind, title, message, action) => {
        if (action) showWithAction(title, message, action);
        else if (kind === "error") showFailure(title, message);
        else showWarning(title, message);
      },
      goTo: (next) => void navigate(`/annotate/${next}${query && `?${query}`}`),
    });
    opened.then(
      (picture) => {
        if (abort.signal.aborted) return picture.close();
        setOpen(picture);
        // The picture in front goes first.
        void shown.then(() => preload(picture.editor.document.state.image.next));
      },
      (error: unknown) => {
        if (abort.signal.aborted) return;
        // As on every other page: after logging in one comes to this picture.
        if (isRefusal(error)) return endSession();
        // Somebody who is offline for a moment stays where the work is.
        if (mayComeBack(error)) return setFailure(error);
        showFailure("Could not find requested image", "Redirecting to previous page.");
        void (isFirst ? navigate("/datasets", { replace: true }) : navigate(-1));
      },
    );
    return () => {
      abort.abort();
      void opened.then(
        (picture) => picture.close(),
        () => undefined,
      );
    };
  }, [id, query, user, installation, navigate, endSession, isFirst]);
  const dataset = open?.editor.document.state.dataset;
  useShowPageLink(dataset?.name, dataset ? `/dataset/${dataset.id}${query && `?${query}`}` : "");
  if (failure) return <LoadError error={failure} onRetry={onRetry} />;
  if (!open) return <Loading />;
  return (
    <>
      <PageTitle>{open.editor.document.state.image.file_name}</PageTitle>
      <Annotator key={id} editor={open.editor} />
    </>
  );
}

const isRefusal = (error: unknown) => error instanceof RequestError && error.status === 401;

/** The server was away or overloaded: the picture may well be there. */
function mayComeBack(error: unknown): error is RequestError {
  return error instanceof RequestError && (error.isOffline || error.status === 429 || error.status >= 500);
}

/** Fetches and decodes a picture that will be wanted. Resolves also when that cannot be done. */
async function preload(imageId: number | null): Promise<void> {
  if (imageId === null) return;
  const picture = new Image();
  picture.src = url(getImage, { params: { id: imageId } });
  await picture.decode().catch(() => undefined);
}
