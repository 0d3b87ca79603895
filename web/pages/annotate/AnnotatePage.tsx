import { t } from "@lingui/core/macro";
import { useEffect, useState } from "react";
import { useLocation, useNavigate, useParams, useSearchParams } from "react-router-dom";
import { Annotator } from "../../annotator/Annotator";
import type { Editor } from "../../annotator/editor/editor";
import { type OpenImage, openImage } from "../../annotator/editor/open";
import { CarriedTool } from "../../annotator/tools/carriedTool";
import { useTourEnd } from "../../annotator/ui/tour/TourPlace";
import { LoadError } from "../../components/messages/LoadError";
import { showFailure, showWarning, showWithAction } from "../../components/messages/toast";
import { useShowPageLink } from "../../components/pageLink";
import { getReach, onReturn } from "../../io/http/reachability";
import { RequestError } from "../../io/http/request";
import { imageAddress } from "../../io/images/imageAddress";
import { ownerOf, type Session, useEndSession, useSession } from "../../queries/session";
import { NotFoundPage } from "../common/NotFoundPage";
import { PageTitle } from "../common/PageTitle";
import { useLastOpened } from "../offline/lastOpened";
import { isQueued, listParameters } from "../queue/queued";
import { queueOf } from "../queue/queueOf";
import { AnnotatorSkeleton } from "./AnnotatorSkeleton";
import { FilmStrip } from "./FilmStrip";
import classes from "./FilmStrip.module.css";
import { type GoTo, useGoTo } from "./useGoTo";

/** Pause after which an image that a reachable server could not send is requested again, in milliseconds. */
const AGAIN_MS = 10_000;

/**
 * `/annotate/{id}`, with the list context in the query parameters. Each image gets its own editor; the film strip below
 * stays when another image is opened.
 */
export function AnnotatePage() {
  const { id = "" } = useParams();
  const session = useSession();
  const [attempt, setAttempt] = useState(0);
  const [editor, setEditor] = useState<Editor | null>(null);
  const [carriedTool] = useState(() => new CarriedTool());
  const [search] = useSearchParams();
  const goTo = useGoTo(id);
  useTourEnd();
  if (!/^\d{1,9}$/.test(id)) return <NotFoundPage />;
  const handleRetry = () => setAttempt(attempt + 1);
  return (
    <div className={classes.page}>
      <div className={classes.image}>
        <OpenedImage
          key={`${id} ${attempt}`}
          id={Number(id)}
          session={session}
          onRetry={handleRetry}
          onOpened={setEditor}
          goTo={goTo}
          carriedTool={carriedTool}
        />
      </div>
      {editor && <FilmStrip editor={editor} imageId={Number(id)} list={listParameters(search)} onGo={goTo} />}
    </div>
  );
}

/**
 * Selects the annotation that the address names, and lists it: `#annotation={uuid}`. Shows the thread of the comment
 * that it names: `#comment={uuid}`.
 */
function selectNamed({ document, selection, layers, comments }: Editor): void {
  const named = new URLSearchParams(window.location.hash.slice(1));
  const comment = named.get("comment");
  if (comment) comments.goTo(comment);
  const uuid = named.get("annotation");
  const annotation = uuid ? document.annotation(uuid) : undefined;
  if (!annotation) return;
  layers.expand(annotation.category_id, true);
  selection.selectAnnotation(annotation);
}

interface OpenedProps {
  id: number;
  session: Session;
  onRetry: () => void;
  onOpened: (editor: Editor) => void;
  goTo: GoTo;
  carriedTool: CarriedTool;
}

function OpenedImage({ id, session, onRetry, onOpened, goTo, carriedTool }: OpenedProps) {
  const { user, installation } = session;
  const [open, setOpen] = useState<OpenImage | null>(null);
  const [failure, setFailure] = useState<RequestError | null>(null);
  const [search] = useSearchParams();
  const query = search.toString();
  const navigate = useNavigate();
  const endSession = useEndSession();
  const isFirst = useLocation().key === "default";
  useEffect(() => {
    const abort = new AbortController();
    const shown = preload(id);
    const opened = openImage({
      imageId: id,
      listContext: listParameters(new URLSearchParams(query)),
      queue: isQueued(new URLSearchParams(query)) ? queueOf(user.username) : undefined,
      user,
      owner: ownerOf({ user, installation }),
      signal: abort.signal,
      notify: (kind, title, message, action) => {
        // Ctrl+Z belongs to the history of the image.
        if (action) {
          const { endsWithImage, ...shown } = action;
          showWithAction(title, message, { ...shown, isUndo: false, until: endsWithImage ? abort.signal : undefined });
        } else if (kind === "error") showFailure(title, message);
        else showWarning(title, message);
      },
      goTo: (next, annotation) => goTo(next, { annotation, isGone: () => abort.signal.aborted }),
      carriedTool,
    });
    opened.then(
      (image) => {
        if (abort.signal.aborted) return image.close();
        setOpen(image);
        onOpened(image.editor);
        selectNamed(image.editor);
        // Preloads the next image only after the current one.
        void shown.then(() => preload(image.editor.document.state.image.next));
      },
      (error: unknown) => {
        if (abort.signal.aborted) return;
        // After logging in again, the user returns to this image.
        if (isRefusal(error)) return endSession();
        // Stays on the page during a short network or server failure.
        if (mayComeBack(error)) return setFailure(error);
        showFailure(t`Could not find requested image`, t`Redirecting to previous page.`);
        void (isFirst ? navigate("/datasets", { replace: true }) : navigate(-1));
      },
    );
    return () => {
      abort.abort();
      void opened.then(
        (image) => image.close(),
        () => undefined,
      );
    };
  }, [id, query, user, installation, navigate, endSession, isFirst, goTo, onOpened, carriedTool]);
  useEffect(() => {
    if (!failure) return;
    const timer = getReach() === "reachable" ? setTimeout(onRetry, AGAIN_MS) : undefined;
    const stop = onReturn(onRetry);
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [failure, onRetry]);
  const dataset = open?.editor.document.state.dataset;
  const list = new URLSearchParams(listParameters(search)).toString();
  useShowPageLink(dataset?.name, dataset ? `/dataset/${dataset.id}${list && `?${list}`}` : "");
  useLastOpened("annotate", open ? `/annotate/${id}${query && `?${query}`}` : undefined);
  if (failure) return <LoadError error={failure} onRetry={onRetry} />;
  if (!open) return <AnnotatorSkeleton />;
  return (
    <>
      <PageTitle>{open.editor.document.state.image.file_name}</PageTitle>
      <Annotator key={id} editor={open.editor} />
    </>
  );
}

const isRefusal = (error: unknown) => error instanceof RequestError && error.status === 401;

/** Returns true if the server was unreachable, overloaded or failing, so that a retry may succeed. */
function mayComeBack(error: unknown): error is RequestError {
  return error instanceof RequestError && (error.isOffline || error.status === 429 || error.status >= 500);
}

/** Fetches and decodes an image that will be shown soon. Never rejects. */
async function preload(imageId: number | null): Promise<void> {
  if (imageId === null) return;
  const image = new Image();
  image.src = await imageAddress(imageId);
  await image.decode().catch(() => undefined);
}
