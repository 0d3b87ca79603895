import { attributeCommands, definedCommands } from "../actions/commands/attributeCommands";
import { type CommandListParts, commandList } from "../actions/commands/commandList";
import { keypointCommands } from "../actions/commands/keypointCommands";
import { type ShapeCommandParts, shapeCommands } from "../actions/commands/shapeCommands";
import { type SightCommandParts, sightCommands } from "../actions/commands/sightCommands";
import { stackingCommands } from "../actions/commands/stackingCommands";
import type { Comments } from "../comments/Comments";
import { commentCommand } from "../comments/commentCommands";
import type { AnnotatorDocument } from "../document/document";
import { Keys } from "../keyboard/keys";
import { isLook } from "../keyboard/lookCommands";
import { listenToPaste } from "../keyboard/paste";
import { isFor, Shortcuts } from "../keyboard/shortcuts";
import type { Keypoints } from "../keypoints/Keypoints";
import type { Past } from "../past/Past";
import { commandsInThePast, historyCommand } from "../past/pastCommands";
import type { Settings } from "../preferences/settings";
import type { SelectedAttributes } from "../selected/SelectedAttributes";
import type { Stacking } from "../selected/Stacking";
import type { ModeSwitch } from "../state/mode";
import type { EditorParts } from "./editorParts";

interface Base extends CommandListParts, ShapeCommandParts, SightCommandParts {
  keypoints: Keypoints;
  attributes: SelectedAttributes;
  stacking: Stacking;
  mode: ModeSwitch;
  past: Past;
  comments: Comments;
  settings: Settings;
  document: AnnotatorDocument;
}

/** Creates the list of commands and starts to run them by key. */
export function makeKeyboardParts({ keyboard }: EditorParts, base: Base) {
  const { document, mode, settings, clipboard, past } = base;
  const list = [
    ...commandList(base),
    historyCommand(past),
    ...(base.comments.mayWrite ? [commentCommand(base.comments)] : []),
    ...keypointCommands(base),
    ...shapeCommands(base),
    ...sightCommands(base),
    ...attributeCommands(base),
    ...stackingCommands(base),
  ];
  const shortcuts = new Shortcuts(
    () => {
      const all = [...definedCommands(base), ...list].filter((command) => isFor(command, mode.mode));
      if (past.state.moment) return commandsInThePast(past, all);
      return document.isReadOnly ? all.filter(isLook) : all;
    },
    () => settings.state.shortcuts,
  );
  const stopPasting = listenToPaste(
    keyboard,
    (text) => mode.mode === "segment" && !past.state.moment && !document.isReadOnly && clipboard.paste(text),
  );
  return { list, shortcuts, keys: new Keys(shortcuts, keyboard), stopPasting };
}
