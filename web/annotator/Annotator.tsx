import classes from "./Annotator.module.css";
import { Canvas } from "./canvas/Canvas";
import { EditorProvider } from "./context";
import type { Editor } from "./editor";
import { Dialogs } from "./panels/Dialogs";
import { LastingNotice } from "./panels/LastingNotice";
import { LeftBar } from "./panels/LeftBar";
import { PresenceWarning } from "./panels/PresenceWarning";
import { RightPanel } from "./panels/RightPanel";
import { Said } from "./panels/Said";
import { ScreenShift } from "./panels/ScreenShift";
import { ViewMenu } from "./panels/ViewMenu";

/** The annotator of one image: tools at the left, the canvas, annotations and options at the right. */
export function Annotator({ editor }: { editor: Editor }) {
  return (
    <EditorProvider value={editor}>
      <div className={classes.frame}>
        <LeftBar />
        <div className={classes.stage}>
          <Canvas />
          <ViewMenu />
          <LastingNotice />
          <PresenceWarning />
          <ScreenShift />
          <Said />
        </div>
        <RightPanel />
      </div>
      <Dialogs />
    </EditorProvider>
  );
}
