import { t } from "@lingui/core/macro";
import { around, type Box } from "../../canvas/shapes/shapes";
import type { View } from "../../canvas/view/view";
import type { Command } from "../../keyboard/shortcuts";
import type { ViewFlags, ViewToggles } from "../../preferences/viewToggles";
import type { Selection } from "../../state/selection";
import type { Ui } from "../../state/ui";
import type { Navigation } from "../../tree/navigation";
import type { Actions } from "../actions";

export interface SightCommandParts {
  actions: Actions;
  view: View;
  viewToggles: ViewToggles;
  navigation: Navigation;
  selection: Selection;
  ui: Ui;
  /** Returns the box around a visible annotation; null if it is hidden or has no shape. */
  boxOf(uuid: string): Box | null;
  /** Hides all shapes, or shows them again. */
  hideShapes(isHidden: boolean): void;
}

export interface Toggle {
  what: keyof ViewFlags;
  name: string;
  /** Absent for toggles without a key. */
  key?: readonly string[];
  /** Section of the view menu that lists the toggle. */
  of: "shapes" | "screen";
}

/** The toggles with their names and keys, in the order of the view menu. */
export const toggles = (): readonly Toggle[] => [
  { what: "names", name: t`Category Names`, key: ["t"], of: "shapes" },
  { what: "numbers", name: t`Numbers on Shapes`, of: "shapes" },
  { what: "outlineOnly", name: t`Outlines Only`, key: ["o"], of: "shapes" },
  { what: "crosshair", name: t`Crosshair`, key: ["g"], of: "screen" },
  { what: "pixelGrid", name: t`Pixel Grid`, key: ["shift", "g"], of: "screen" },
  { what: "miniMap", name: t`Mini Map`, key: ["shift", "z"], of: "screen" },
  { what: "filmStrip", name: t`Film Strip`, key: ["f"], of: "screen" },
  { what: "others", name: t`Pointers of Others`, of: "screen" },
  { what: "keys", name: t`Keys on Buttons`, of: "screen" },
  { what: "snap", name: t`Snap to Neighbours`, key: ["shift", "s"], of: "shapes" },
];

/** Commands that find annotations on the image, and that show or hide parts of the view. */
export function sightCommands(parts: SightCommandParts): Command[] {
  const { actions, view, viewToggles, navigation, selection, ui } = parts;
  const walk = (by: 1 | -1) => {
    if (navigation.walk(by) !== null) actions.showSelected();
  };
  const zoomToSelection = () => {
    const boxes = [...selection.state.all].map((uuid) => parts.boxOf(uuid));
    const box = boxes.reduce(around, null);
    if (box) view.zoomToBox(box);
    else ui.showMessage(t`Select a visible annotation first`);
  };
  return [
    {
      id: "next annotation",
      name: t`Next Annotation`,
      group: "Annotations",
      keys: [["j"]],
      repeats: true,
      run: () => walk(1),
    },
    {
      id: "previous annotation",
      name: t`Previous Annotation`,
      group: "Annotations",
      keys: [["shift", "j"]],
      repeats: true,
      run: () => walk(-1),
    },
    { id: "zoom to selection", name: t`Zoom to Selection`, group: "View", keys: [["z"]], run: zoomToSelection },
    {
      id: "hide shapes",
      name: t`Hide All Shapes While Held`,
      group: "View",
      keys: [["h"]],
      run: () => parts.hideShapes(true),
      end: () => parts.hideShapes(false),
    },
    ...toggles().map(
      ({ what, name, key }): Command => ({
        id: `toggle ${what}`,
        name: t`${name} On or Off`,
        group: "View",
        keys: key ? [key] : [],
        run: () => ui.showMessage(viewToggles.toggle(what) ? t`${name}: on` : t`${name}: off`),
      }),
    ),
  ];
}
