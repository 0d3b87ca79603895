import { t } from "@lingui/core/macro";
import type { Commands } from "../document/commands";
import type { SceneCategory } from "../document/document";
import type { History } from "../document/history";
import type { Notify } from "../document/ports";
import type { Selection } from "../state/selection";
import type { Ui } from "../state/ui";
import { definitionFieldsOf, withEdgeToggled } from "./model/definition";
import { labelsOf } from "./model/points";

export interface EdgeParts {
  commands: Commands;
  history: History;
  selection: Selection;
  notify: Notify;
  ui: Ui;
}

/** Adds and deletes edges between a category's keypoints, by clicks on two of them. */
export class Edges {
  /** The undo step of the last click if it has toggled an edge, otherwise null. */
  private toggled: object | null = null;

  constructor(private readonly parts: EdgeParts) {}

  /**
   * Adds or deletes the edge between two labels, for all annotations of the category. Notifies users without the
   * permission.
   */
  toggle(category: SceneCategory, a: number, b: number): void {
    const { commands, history, selection, notify, ui } = this.parts;
    if (!category.permissions.edit) {
      selection.selectKeypoint(b);
      notify(
        "info",
        t`Edges cannot be changed`,
        t`Only the creator of ${{ name: category.name }} and admins may change its keypoints.`,
      );
      return;
    }
    const keypoint_edges = withEdgeToggled(category, a, b);
    const isAdded = keypoint_edges.length > category.keypoint_edges.length;
    const action = isAdded ? t`Add Edge` : t`Delete Edge`;
    commands.changeCategory(category.id, { ...definitionFieldsOf(category), keypoint_edges }, action);
    selection.selectKeypoint(null);
    this.toggled = history.newest;
    const nameOf = (label: number) => labelsOf(category).find(({ id }) => id === label)?.name ?? "";
    const [first, second] = [nameOf(a), nameOf(b)];
    ui.showMessage(
      isAdded ? t`Edge between ${first} and ${second} added` : t`Edge between ${first} and ${second} deleted`,
    );
  }

  /** Makes the last click's edge final, because another click has followed. */
  confirmLastClick(): void {
    this.toggled = null;
  }

  /** Undoes the last click's edge, because the click was the first half of a double click. */
  undoLastClick(): void {
    const { history } = this.parts;
    if (this.toggled && history.newest === this.toggled) history.undo();
    this.toggled = null;
  }
}
