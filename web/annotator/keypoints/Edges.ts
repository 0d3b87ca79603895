import type { Commands } from "../document/commands";
import type { SceneCategory } from "../document/document";
import type { History } from "../document/history";
import type { Notify } from "../document/ports";
import type { Selection } from "../state/selection";
import type { Ui } from "../state/ui";
import { wireOf, withEdgeToggled } from "./model/definition";
import { labelsOf } from "./model/points";

export interface EdgeParts {
  commands: Commands;
  history: History;
  selection: Selection;
  notify: Notify;
  ui: Ui;
}

/** The edges between a category's keypoints, as clicks on two of them make and delete them. */
export class Edges {
  /** The undo step of the last click, where it has toggled an edge. */
  private toggled: object | null = null;

  constructor(private readonly parts: EdgeParts) {}

  /** Joins two labels, or parts them, for all annotations of the category; tells whoever may not. */
  toggle(category: SceneCategory, a: number, b: number): void {
    const { commands, history, selection, notify, ui } = this.parts;
    if (!category.permissions.edit) {
      selection.selectKeypoint(b);
      notify(
        "info",
        "Edges cannot be changed",
        `Only the creator of ${category.name} and admins may change its keypoints.`,
      );
      return;
    }
    const keypoint_edges = withEdgeToggled(category, a, b);
    const isAdded = keypoint_edges.length > category.keypoint_edges.length;
    commands.changeCategory(category.id, { ...wireOf(category), keypoint_edges }, isAdded ? "Add Edge" : "Delete Edge");
    selection.selectKeypoint(null);
    this.toggled = history.newest;
    const nameOf = (label: number) => labelsOf(category).find(({ id }) => id === label)?.name;
    ui.showMessage(`${nameOf(a)} and ${nameOf(b)} ${isAdded ? "joined" : "parted"}`);
  }

  /** The last click's edge stays as it is: another click has come. */
  keep(): void {
    this.toggled = null;
  }

  /** The last click was the first half of a double click: its edge goes back to what it was. */
  takeBack(): void {
    const { history } = this.parts;
    if (this.toggled && history.newest === this.toggled) history.undo();
    this.toggled = null;
  }
}
