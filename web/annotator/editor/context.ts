import { createContext, useContext } from "react";
import { type StoreApi, useStore } from "zustand";
import { useShallow } from "zustand/react/shallow";
import type { SyncState } from "../../sync/journal/syncState";
import type { CommentsState } from "../comments/Comments";
import type { DocumentState } from "../document/document";
import type { LayersState } from "../document/layers";
import type { KeypointState } from "../keypoints/Keypoints";
import type { PastState } from "../past/Past";
import type { SearchState } from "../state/search";
import type { SelectionState } from "../state/selection";
import type { Editor } from "./editor";

const EditorContext = createContext<Editor | null>(null);
export const EditorProvider = EditorContext.Provider;

/** Returns the editor of the open image. Throws outside an `EditorProvider`. */
export function useEditor(): Editor {
  const editor = useContext(EditorContext);
  if (!editor) throw new Error("This component must be inside an EditorProvider.");
  return editor;
}

/** Returns a part of the document and re-renders when it changes. */
export function useDocument<T>(select: (state: DocumentState) => T): T {
  const { document } = useEditor();
  return useStore(document.store as StoreApi<DocumentState>, select);
}

export function useSelection<T>(select: (state: SelectionState) => T): T {
  return useStore(useEditor().selection.store, select);
}

export function useLayers<T>(select: (state: LayersState) => T): T {
  return useStore(useEditor().layers.store, select);
}

export function useLocks<T>(select: (state: { locked: ReadonlySet<string> }) => T): T {
  return useStore(useEditor().locks.store, select);
}

export function useSearch<T>(select: (state: SearchState) => T): T {
  return useStore(useEditor().search.store, select);
}

export function usePast<T>(select: (state: PastState) => T): T {
  return useStore(useEditor().past.store, select);
}

export function useComments<T>(select: (state: CommentsState) => T): T {
  return useStore(useEditor().comments.store, select);
}

export const useMode = () => useStore(useEditor().mode.store, (state) => state.mode);
export const useSettings = () => useStore(useEditor().settings.store);
export const useViewSettings = () => useStore(useEditor().viewSettings.store);
export const useViewToggles = () => useStore(useEditor().viewToggles.store);
export const useSimplifyChoice = () => useStore(useEditor().simplifying.store, ({ choice }) => choice);
export const useCurrentLabel = () => useStore(useEditor().labels.store, (state) => state.current);
export function useKeypoints<T>(select: (state: KeypointState) => T): T {
  return useStore(useEditor().keypoints.store, select);
}

export const useToolbox = () => useStore(useEditor().toolbox.store);
export const useHistory = () => useStore(useEditor().history.store);
export const usePicker = () => useStore(useEditor().ui.store, (state) => state.picker);
export const useDialog = () => useStore(useEditor().ui.store, (state) => state.dialog);
export const useStatusMessage = () =>
  useStore(
    useEditor().ui.store,
    useShallow(({ message, messageCount, isOnlyAnnounced }) => ({ message, messageCount, isOnlyAnnounced })),
  );
export const useIsAskingForNumber = () => useStore(useEditor().ui.store, (state) => state.isAskingForNumber);
export const useHeldOnScreen = () => useStore(useEditor().ui.store, (state) => state.held);
export const useLoss = () => useStore(useEditor().parts.availability.store, (state) => state.loss);
export const useIsDrawing = () => useStore(useEditor().ui.store, (state) => state.isDrawing);
/** Returns false if the user may look at the image but not change it. */
export const useMayEdit = (): boolean => useDocument((state) => state.permissions.dataset.edit);
/** Returns the sync state, with "saving" instead of "saved" while a stroke is still being computed. */
export function useSaveState(): SyncState {
  const { parts, drawing } = useEditor();
  const state = useStore(parts.sink.state);
  const isDrawn = useStore(drawing.store, ({ waiting }) => waiting === 0);
  return isDrawn || state.status !== "saved" ? state : { ...state, status: "saving" };
}

export const useZoom = () => useStore(useEditor().view.store, (state) => state.zoom);
