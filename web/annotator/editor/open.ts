import { type AnnotatorScene, getAnnotatorData, getEdits } from "../../../shared/api/annotator";
import { getOneDataset } from "../../../shared/api/datasets/dataset";
import type { User } from "../../../shared/entities/accounts/user";
import { systemClipboard } from "../../io/clipboard";
import { sharedDextr } from "../../io/dextr/startDextr";
import { getReach, onReturn } from "../../io/http/reachability";
import { RequestError, request } from "../../io/http/request";
import { retryWhileUnreachable } from "../../io/http/retryWhileUnreachable";
import type { Owner } from "../../io/journal/journalName";
import { followCategories } from "../../io/live/followCategories";
import { followImage } from "../../io/live/followImage";
import { followRole } from "../../io/live/followRole";
import { sharePointer } from "../../io/live/sharePointer";
import { socket } from "../../io/live/socket";
import { finishBeforeLogout } from "../../io/logout";
import { startCompute } from "../../io/workers/workers";
import { askBeforeClosing } from "../../sync/askBeforeClosing";
import { syncOf } from "../../sync/currentSync";
import { withNewCategories } from "../../sync/newCategories";
import { type LastPropagation, lastPropagationOf } from "../clipboard/Propagated";
import { draftStore } from "../preferences/draftStore";
import { sketchStore } from "../preferences/sketchStore";
import { Availability } from "../sync/availability";
import { imageList } from "../sync/imageList";
import { loadOtherScene } from "../sync/otherScene";
import { editCountFor, ServerUpdates } from "../sync/serverUpdates";
import { Editor } from "./editor";
import type { EditorParts } from "./editorParts";

export interface OpenImage {
  editor: Editor;
  close: () => void;
}

interface OpenOptions {
  imageId: number;
  /** Query parameters of the list that previous and next follow. */
  listContext: Record<string, string>;
  user: User;
  owner: Owner;
  notify: EditorParts["notify"];
  goTo: EditorParts["goTo"];
  carriedTool: EditorParts["carriedTool"];
  /** The queue that the image came from, if it did. */
  queue?: EditorParts["queue"];
  signal: AbortSignal;
}

/** Images that were left before all drawings were in the journal. */
const leaving = new Map<number, Promise<void>>();
finishBeforeLogout(() => Promise.all(leaving.values()));

/** Loads an image's data and creates its editor. Rejects without writing anything if the data cannot be loaded. */
export function openImage(options: OpenOptions): Promise<OpenImage> {
  const last = lastPropagationOf(options.owner);
  const opened = open(options, last);
  last.documents.noteOpening(options.imageId, opened);
  return opened;
}

async function open(
  { imageId, listContext, user, owner, signal, ...rest }: OpenOptions,
  lastPropagation: LastPropagation,
): Promise<OpenImage> {
  // With `shape: "rings"` the response is a scene, without paper JSON.
  const load = async (pendingCount: number) => {
    const query = { ...listContext, shape: "rings" as const, edits: editCountFor(pendingCount) };
    const made = await sink.newCategories();
    const scene = await request(getAnnotatorData, { params: { id: imageId }, query }, { signal });
    return withNewCategories(scene as AnnotatorScene, made, user.username);
  };
  const sink = syncOf(owner);
  const username = user.anonymous ? null : user.username;
  // If the user returns quickly, drawings that were still being computed when the image was left must be stored first.
  await leaving.get(imageId);
  const availability: Availability = new Availability(() => seesDataset(scene.dataset.id));
  const updates = new ServerUpdates(
    imageId,
    sink,
    {
      load: (pendingCount) => availability.watch(load(pendingCount)),
      changesSince: (since) =>
        availability.watch(request(getEdits, { params: { id: imageId }, query: { since, comments: true } })),
    },
    { onFocus, onReconnect },
  );
  const read = async () => {
    // Read before the scene, which names those that it includes.
    const pendingEdits = await sink.pendingOf(imageId);
    const unsent = await sink.unsentPreferences();
    const scene = await retryWhileUnreachable(() => load(pendingEdits.length), { tries: 3, pause: 1_000, signal });
    signal.throwIfAborted();
    return { pendingEdits, scene: { ...scene, preferences: { ...scene.preferences, ...unsent } } };
  };
  const { pendingEdits, scene } = await read().catch((error: unknown) => {
    updates.close();
    throw error;
  });
  const isFromCopy = getReach() === "away";
  const compute = startCompute();
  const editor: Editor = new Editor({
    ...rest,
    scene,
    pendingEdits,
    sink,
    sketches: sketchStore(owner, imageId),
    drafts: draftStore(owner, imageId),
    compute,
    dextr: sharedDextr(),
    keyboard: window,
    clipboard: systemClipboard,
    loadScene: (id, signal) => loadOtherScene(id, { sink, user }, signal),
    list: imageList(imageId, scene.dataset.id, listContext),
    lastPropagation,
    username,
    availability,
    reload: updates.reload,
    catchUp: updates.catchUp,
  });
  const { document } = editor;
  updates.begin(document);
  const stopFollowing = followImage(imageId, {
    onChange: ({ uuid }) => uuid !== sink.client && !availability.isLeaving && updates.catchUp(),
    onEntered: updates.catchUp,
    onUsersChange: (names) => {
      document.showUsers([...names]);
      editor.others.setUsers(names);
    },
  });
  const pointers = sharePointer(imageId, (event) => editor.others.receive(event));
  const stopPointing = editor.others.connect(pointers.send);
  // A copy knows only the neighbours that are in this browser.
  const showNeighbours = ({ image }: AnnotatorScene) => document.showNeighbours(image);
  const stopReturning = isFromCopy ? onReturn(() => void load(0).then(showNeighbours, () => undefined)) : undefined;
  const stopFollowingRole = followRole((id) => id === scene.dataset.id && void updates.reload());
  const stopFollowingCategories = followCategories(scene.dataset.id, sink.client, () => {
    if (!availability.isLeaving) void updates.reload();
  });
  const stopCategories = sink.onCategory({
    onCreated: (category) => {
      const known = document.category(category.id);
      if (known) document.putCategory({ ...known, ...category });
    },
  });
  // Finished drawings are in the journal, but a running computation is not part of any edit yet.
  const stopAsking = askBeforeClosing(() => editor.drawing.isBusy);
  const close = () => {
    stopCategories();
    pointers.stop();
    stopPointing();
    stopFollowing();
    stopReturning?.();
    stopFollowingRole();
    stopFollowingCategories();
    stopAsking();
    updates.close();
    editor.leave();
    // A stroke that is still being computed reaches the journal first.
    const left = editor.settled().finally(() => {
      editor.close();
      compute.close();
      if (leaving.get(imageId) === left) leaving.delete(imageId);
    });
    leaving.set(imageId, left);
  };
  return { editor, close };
}

/** Returns true if the user may see a dataset. Rejects if the server cannot be reached. */
function seesDataset(id: number): Promise<boolean> {
  return request(getOneDataset, { params: { id } }).then(
    () => true,
    (error: unknown) => {
      if (error instanceof RequestError && error.status === 404) return false;
      throw error;
    },
  );
}

function onFocus(listener: () => void): () => void {
  window.addEventListener("focus", listener);
  return () => window.removeEventListener("focus", listener);
}

function onReconnect(listener: () => void): () => void {
  const live = socket();
  live.on("connect", listener);
  const stop = onReturn(listener);
  return () => {
    stop();
    live.off("connect", listener);
  };
}
