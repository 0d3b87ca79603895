import { plural, t } from "@lingui/core/macro";
import { type CSSProperties, useEffect, useRef } from "react";
import { confirmAway, onReturn } from "../../io/http/reachability";
import { imageAddress, localImage } from "../../io/images/imageAddress";
import { useDocument, useEditor, useToolbox } from "../editor/context";
import type { Editor } from "../editor/editor";
import "./canvas.css";

/** Loads the image, from this browser if the server cannot be reached. Rejects if the image cannot be loaded. */
async function showImage(editor: Editor, id: number): Promise<void> {
  const address = await imageAddress(id);
  try {
    await editor.showImage(address);
  } catch (error) {
    const local = address.startsWith("blob:") ? undefined : await localImage(id);
    if (!local) throw error;
    await editor.showImage(local);
  }
}

/**
 * Shows the image, and again when the server returns if it was away. Reports an image that cannot be shown. Returns a
 * function that stops this.
 */
function keepShowing(editor: Editor, id: number): () => void {
  let isGone = false;
  let isMissing = false;
  const show = async () => {
    isMissing = false;
    try {
      await showImage(editor, id);
    } catch {
      const isAway = await confirmAway();
      if (isGone) return;
      isMissing = isAway;
      const reason = isAway ? t`It is loaded when the server is back.` : t`It could not be loaded or is damaged.`;
      editor.parts.notify("error", t`The image cannot be shown`, reason);
    }
  };
  const stop = onReturn(() => isMissing && void show());
  void show();
  return () => {
    isGone = true;
    stop();
  };
}

/** Element for the canvas; the editor manages everything in it. */
export function Canvas() {
  const editor = useEditor();
  const { tool } = useToolbox();
  const count = useDocument((state) => state.annotations.size);
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const { id } = editor.document.state.image;
    editor.attach(place.current!);
    const stop = keepShowing(editor, id);
    return () => {
      stop();
      editor.detach();
    };
  }, [editor]);
  return (
    <div
      ref={place}
      className="annotator-canvas"
      role="application"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: role application handles keys
      tabIndex={0}
      aria-label={t`Image ${{ name: editor.document.state.image.file_name }}`}
      aria-description={plural(count, {
        one: "# annotation, listed in the tree. The command Keyboard Cursor shows a cursor for the arrow keys.",
        other: "# annotations, listed in the tree. The command Keyboard Cursor shows a cursor for the arrow keys.",
      })}
      style={{ "--tool-cursor": tool.cursor } as CSSProperties}
    />
  );
}
