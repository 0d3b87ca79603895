import { createStore } from "zustand/vanilla";

/** The open dialog. */
export type Dialog =
  | { kind: "help" }
  | { kind: "palette" }
  /**
   * `needed`: true if the user tried to draw without any category. `onCreated` is called when the new category is
   * selected.
   */
  | { kind: "new category"; needed: boolean; onCreated?: (() => void) | undefined }
  | { kind: "category"; id: number }
  | { kind: "annotation"; uuid: string }
  /** All selected annotations. */
  | { kind: "annotations" }
  /** `label`: stable id of the keypoint's label. */
  | { kind: "keypoint"; uuid: string; label: number }
  | { kind: "conflicts" }
  | { kind: "image settings" }
  | { kind: "copy" }
  | { kind: "propagate" }
  | { kind: "delete image" }
  | null;

/** The open label picker. */
export interface Picker {
  /** Uuids of the annotations that get the chosen category; empty if the category is for new annotations. */
  targets: readonly string[];
  /** Position of the picker, in CSS pixels from the canvas's top left. */
  at: { x: number; y: number };
}

/** The keys that have a button on the screen, for devices without a keyboard. */
export interface HeldOnScreen {
  shift: boolean;
  alt: boolean;
}

export interface UiState {
  dialog: Dialog;
  picker: Picker | null;
  /** True while a tool has something unfinished, which undo reverts first. */
  isDrawing: boolean;
  /** True while the user is asked for the number of an image to open. */
  isAskingForNumber: boolean;
  /** Keys that are held by their buttons on the screen. */
  held: HeldOnScreen;
  /** The last status message, shown on the image and announced by screen readers. */
  message: string;
  /** Number of messages so far, to tell a repeated message from the previous one. */
  messageCount: number;
  /** True if the message is only announced by screen readers, because its subject is visible anyway. */
  isOnlyAnnounced: boolean;
}

/** State of the panels: the open dialog, the last status message, and whether something is being drawn. */
export class Ui {
  readonly store = createStore<UiState>(() => ({
    dialog: null,
    picker: null,
    isDrawing: false,
    isAskingForNumber: false,
    held: { shift: false, alt: false },
    message: "",
    messageCount: 0,
    isOnlyAnnounced: false,
  }));

  /** The mouse's last position over the canvas, in CSS pixels; null while it is elsewhere. */
  pointer: { x: number; y: number } | null = null;

  setDrawing(isDrawing: boolean): void {
    if (this.store.getState().isDrawing !== isDrawing) this.store.setState({ isDrawing });
  }

  askForNumber(isAskingForNumber: boolean): void {
    this.store.setState({ isAskingForNumber });
  }

  /** Holds keys on the screen, or releases them. */
  hold(held: HeldOnScreen): void {
    this.store.setState({ held });
  }

  /** Shows a status message for a moment; screen readers announce it, too. */
  showMessage(message: string): void {
    this.store.setState({ message, messageCount: this.store.getState().messageCount + 1, isOnlyAnnounced: false });
  }

  /** Has screen readers announce a message whose subject is visible anyway. */
  announce(message: string): void {
    this.store.setState({ message, messageCount: this.store.getState().messageCount + 1, isOnlyAnnounced: true });
  }

  open(dialog: Dialog): void {
    this.store.setState({ dialog });
  }

  openPicker(picker: Picker): void {
    this.store.setState({ picker });
  }

  closePicker(): void {
    this.store.setState({ picker: null });
  }

  close(): void {
    this.store.setState({ dialog: null });
  }

  /**
   * Asks for a category, because the user tried to draw without any; `onCreated` is called when the new category has
   * been selected.
   */
  askForCategory(onCreated?: () => void): void {
    this.open({ kind: "new category", needed: true, onCreated });
  }
}
