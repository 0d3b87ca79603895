import { t } from "@lingui/core/macro";
import { BRUSH } from "../../../../shared/constants";
import type { View } from "../../canvas/view/view";
import type { Clipboard } from "../../clipboard/Clipboard";
import type { PreviousImage } from "../../clipboard/PreviousImage";
import type { Propagation } from "../../clipboard/Propagation";
import type { Labels } from "../../document/labelMode";
import type { Layers } from "../../document/layers";
import type { Command } from "../../keyboard/shortcuts";
import type { ViewSettings } from "../../preferences/viewSettings";
import type { SelectedCommands } from "../../selected/SelectedCommands";
import type { Selecting } from "../../selected/Selecting";
import type { Ui } from "../../state/ui";
import { tools } from "../../tools";
import type { Navigation } from "../../tree/navigation";
import type { Actions } from "../actions";
import type { CategoryActions } from "../categoryActions";
import type { Creating } from "../creating";
import type { ImageProgress } from "../imageProgress";
import type { Saving } from "../saving";
import type { Toolbox } from "../toolbox";
import type { Undoing } from "../undoing";
import { categoryCommands } from "./categoryCommands";
import { clipboardCommands } from "./clipboardCommands";
import { labelCommands } from "./labelCommands";
import { progressCommands } from "./progressCommands";
import { selectionCommands } from "./selectionCommands";
import { viewCommands } from "./viewCommands";

export interface CommandListParts {
  actions: Actions;
  creating: Creating;
  undoing: Undoing;
  saving: Saving;
  categories: CategoryActions;
  navigation: Navigation;
  selecting: Selecting;
  selected: SelectedCommands;
  clipboard: Clipboard;
  previousImage: PreviousImage;
  propagation: Propagation;
  progress: ImageProgress;
  toolbox: Toolbox;
  view: View;
  viewSettings: ViewSettings;
  labels: Labels;
  layers: Layers;
  ui: Ui;
  cursor: { toggle: () => void };
}

/** Large step of the brush radius, in image pixels. */
const LARGE_STEP = 10;

/** Returns all commands with their keys, for the keyboard, the tooltips and the help. */
export function commandList(parts: CommandListParts): Command[] {
  const {
    actions,
    creating,
    undoing,
    saving,
    categories,
    navigation,
    toolbox,
    view,
    viewSettings,
    labels,
    layers,
    ui,
    cursor,
  } = parts;
  const chooseTool = tools.map(
    (tool): Command => ({
      id: `tool ${tool.name}`,
      name: t`${{ tool: tool.label }} Tool`,
      group: "Tools",
      keys: [tool.keys],
      run: () => creating.chooseTool(tool.name),
    }),
  );
  const walk = (by: 1 | -1) => {
    navigation.move(by);
    actions.showSelected();
  };
  return [
    ...chooseTool,
    {
      id: "complete",
      name: t`Close Polygon, Split, Keep DEXTR Outline`,
      group: "Tools",
      keys: [["enter"]],
      run: () => actions.complete(),
    },
    {
      id: "cancel",
      name: t`Cancel Current Shape, Deselect`,
      group: "Tools",
      keys: [["escape"]],
      run: () => actions.cancel(),
    },
    {
      id: "cursor",
      name: t`Keyboard Cursor on the Image`,
      group: "Tools",
      keys: [["a"]],
      run: () => cursor.toggle(),
    },
    ...radiusCommands(toolbox),
    {
      id: "up",
      name: t`Move Up Annotations`,
      group: "Annotations",
      keys: [["arrowup"]],
      repeats: true,
      run: () => walk(-1),
    },
    {
      id: "down",
      name: t`Move Down Annotations`,
      group: "Annotations",
      keys: [["arrowdown"]],
      repeats: true,
      run: () => walk(1),
    },
    {
      id: "expand",
      name: t`Expand Category`,
      group: "Annotations",
      keys: [["arrowright"]],
      run: () => navigation.stepIn(),
    },
    {
      id: "collapse",
      name: t`Collapse Category`,
      group: "Annotations",
      keys: [["arrowleft"]],
      run: () => navigation.stepOut(),
    },
    {
      id: "new",
      name: t`New Annotation`,
      group: "Annotations",
      keys: [[" "]],
      run: () => creating.newAnnotation(),
    },
    {
      id: "delete",
      name: t`Delete Selected Annotations`,
      group: "Annotations",
      keys: [["backspace"], ["delete"]],
      run: () => actions.deleteSelected(),
    },
    {
      id: "annotation settings",
      name: t`Annotation Settings`,
      group: "Annotations",
      keys: [["f2"]],
      run: () => actions.openAnnotationSettings(),
    },
    {
      id: "undo",
      name: t`Undo Last Action`,
      group: "General",
      keys: [["control", "z"]],
      repeats: true,
      run: () => undoing.undo(),
    },
    {
      id: "redo",
      name: t`Redo`,
      group: "General",
      keys: [
        ["control", "shift", "z"],
        ["control", "y"],
      ],
      repeats: true,
      run: () => undoing.redo(),
    },
    {
      id: "save",
      name: t`Save`,
      group: "General",
      keys: [["control", "s"]],
      whileTyping: true,
      run: () => void saving.save(),
    },
    { id: "search", name: t`Search Annotations`, group: "General", keys: [["/"]], run: () => actions.startSearch() },
    { id: "mode", name: t`Mode: Segment or Label`, group: "General", keys: [["l"]], run: () => actions.toggleMode() },
    { id: "center", name: t`Center Image`, group: "General", keys: [["c"]], run: () => view.fit() },
    { id: "next", name: t`Next Image`, group: "General", keys: [["n"]], run: () => actions.go("next") },
    {
      id: "next not annotated",
      name: t`Next Image without Annotations`,
      group: "General",
      keys: [["shift", "n"]],
      run: () => actions.go("next_not_annotated"),
    },
    { id: "previous", name: t`Previous Image`, group: "General", keys: [["p"]], run: () => actions.go("previous") },
    ...progressCommands(parts.progress, ui),
    {
      id: "palette",
      name: t`Command Palette`,
      group: "General",
      keys: [["control", "k"]],
      run: () => ui.open({ kind: "palette" }),
    },
    { id: "show all", name: t`Show All Annotations`, group: "Annotations", keys: [], run: () => layers.showAll() },
    { id: "hide all", name: t`Hide All Annotations`, group: "Annotations", keys: [], run: () => layers.hideAll() },
    {
      id: "copy annotations",
      name: t`Copy Annotations from Another Image`,
      group: "Annotations",
      keys: [],
      run: () => ui.open({ kind: "copy" }),
    },
    {
      id: "image settings",
      name: t`Image Settings`,
      group: "General",
      keys: [],
      run: () => ui.open({ kind: "image settings" }),
    },
    { id: "help", name: t`Keyboard Shortcuts`, group: "General", keys: [["?"]], run: () => ui.open({ kind: "help" }) },
    ...selectionCommands(parts),
    ...clipboardCommands(parts),
    ...categoryCommands(creating, categories),
    ...labelCommands(labels),
    ...viewCommands(view, viewSettings, layers),
  ];
}

/** Returns the radius commands of brush and eraser. With Shift the bracket keys type braces, which take large steps. */
function radiusCommands(toolbox: Toolbox): Command[] {
  const sizes = [
    ["smaller", t`Decrease Brush or Eraser Radius`, "[", -BRUSH.step],
    ["larger", t`Increase Brush or Eraser Radius`, "]", BRUSH.step],
    ["much smaller", t`Decrease Radius in Large Steps`, "{", -LARGE_STEP],
    ["much larger", t`Increase Radius in Large Steps`, "}", LARGE_STEP],
  ] as const;
  return sizes.map(([id, name, key, by]) => ({
    id,
    name,
    group: "Tools",
    keys: [[key]],
    repeats: true,
    run: () => toolbox.resize(by),
  }));
}
