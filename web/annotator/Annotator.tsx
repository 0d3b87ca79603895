import classes from "./Annotator.module.css";
import { Canvas } from "./canvas/Canvas";
import { EditorProvider, useZoom } from "./context";
import type { Editor } from "./editor";
import { Dialogs } from "./panels/Dialogs";
import { LeftBar } from "./panels/LeftBar";
import { PresenceWarning } from "./panels/PresenceWarning";
import { RightPanel } from "./panels/RightPanel";

/** The annotator of one picture: tools at the left, the canvas, annotations and options at the right. */
export function Annotator({ editor }: { editor: Editor }) {
  return (
    <EditorProvider value={editor}>
      <div className={classes.frame}>
        <LeftBar />
        <div className={classes.stage}>
          <Canvas />
          <Zoom />
          <PresenceWarning />
        </div>
        <RightPanel />
      </div>
      <Dialogs />
    </EditorProvider>
  );
}

function Zoom() {
  const zoom = useZoom();
  return <div className={classes.zoom}>{zoom < 0.1 ? (zoom * 100).toFixed(1) : Math.round(zoom * 100)} %</div>;
}
