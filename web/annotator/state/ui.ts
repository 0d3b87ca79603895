import { createStore } from "zustand/vanilla";

/** The open dialog. */
export type Dialog =
  | { kind: "help" }
  /** `needed`: somebody wanted to draw and there is no category. */
  | { kind: "new category"; needed: boolean }
  | { kind: "category"; id: number }
  | { kind: "annotation"; uuid: string }
  /** `label`: stable id of the keypoint's label. */
  | { kind: "keypoint"; uuid: string; label: number }
  | { kind: "conflicts" }
  | { kind: "image settings" }
  | { kind: "copy" }
  | { kind: "delete image" }
  | null;

export interface UiState {
  dialog: Dialog;
  /** A tool has something unfinished, which undo takes back first. */
  isDrawing: boolean;
  /** The Shift button on the screen is on. */
  shift: boolean;
  /** The last event, for screen readers and for the line above the options. */
  said: string;
  /** Counts the texts: the same text may be shown again. */
  saidTimes: number;
  /** Said to a screen reader only, as the eye sees it anyway. */
  isWhispered: boolean;
}

/** Open dialogs, toasts, and whether something is being drawn: for panels. */
export class Ui {
  readonly store = createStore<UiState>(() => ({
    dialog: null,
    isDrawing: false,
    shift: false,
    said: "",
    saidTimes: 0,
    isWhispered: false,
  }));

  setDrawing(isDrawing: boolean): void {
    if (this.store.getState().isDrawing !== isDrawing) this.store.setState({ isDrawing });
  }

  holdShift(shift: boolean): void {
    this.store.setState({ shift });
  }

  say(said: string): void {
    this.store.setState({ said, saidTimes: this.store.getState().saidTimes + 1, isWhispered: false });
  }

  /** To a screen reader only: what the eye sees anyway. */
  whisper(said: string): void {
    this.store.setState({ said, saidTimes: this.store.getState().saidTimes + 1, isWhispered: true });
  }

  open(dialog: Dialog): void {
    this.store.setState({ dialog });
  }

  close(): void {
    this.store.setState({ dialog: null });
  }

  askForCategory(): void {
    this.open({ kind: "new category", needed: true });
  }
}
