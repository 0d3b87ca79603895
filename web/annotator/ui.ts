import { createStore } from "zustand/vanilla";

/** What stands open over the page. */
export type Dialog =
  | { kind: "help" }
  /** `needed`: somebody wanted to draw and there is no category. */
  | { kind: "new category"; needed: boolean }
  | { kind: "category"; id: number }
  | { kind: "annotation"; uuid: string }
  | { kind: "conflicts" }
  | null;

export class Ui {
  readonly store = createStore<{ dialog: Dialog }>(() => ({ dialog: null }));

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
