import { EditorProvider } from "./editor/context";
import type { Editor } from "./editor/editor";
import { Canvas } from "./ui/Canvas";
import { CommentLayer } from "./ui/comments/CommentLayer";
import classes from "./ui/common/Annotator.module.css";
import { Dialogs } from "./ui/dialogs/Dialogs";
import { Avatars } from "./ui/messages/Avatars";
import { PresenceWarning } from "./ui/messages/PresenceWarning";
import { SaveBanner } from "./ui/messages/SaveBanner";
import { StatusMessage } from "./ui/messages/StatusMessage";
import { HistoryPanel } from "./ui/past/HistoryPanel";
import { LabelPicker } from "./ui/picker/LabelPicker";
import { TargetButton } from "./ui/picker/TargetButton";
import { RightPanel } from "./ui/sidebar/RightPanel";
import { LeftBar } from "./ui/toolbar/LeftBar";
import { MiniMap } from "./ui/toolbar/MiniMap";
import { ScreenKeys } from "./ui/toolbar/ScreenKeys";
import { SimplifyPanel } from "./ui/toolbar/SimplifyPanel";
import { ViewMenu } from "./ui/toolbar/ViewMenu";
import { TourPlace } from "./ui/tour/TourPlace";

/** The annotator of one image: tools on the left, the canvas, annotations and options on the right. */
export function Annotator({ editor }: { editor: Editor }) {
  return (
    <EditorProvider value={editor}>
      <div className={classes.frame}>
        <LeftBar />
        <div className={classes.stage}>
          <Canvas />
          <CommentLayer />
          <TargetButton />
          <MiniMap />
          <ViewMenu />
          <SimplifyPanel />
          <Avatars />
          <SaveBanner />
          <PresenceWarning />
          <ScreenKeys />
          <StatusMessage />
          <LabelPicker />
          <HistoryPanel />
        </div>
        <RightPanel />
      </div>
      <Dialogs />
      <TourPlace />
    </EditorProvider>
  );
}
