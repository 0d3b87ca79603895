import { plural, t } from "@lingui/core/macro";
import { type CSSProperties, useEffect, useRef } from "react";
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

/** Element for the canvas; the editor manages everything in it. */
export function Canvas() {
  const editor = useEditor();
  const { tool } = useToolbox();
  const count = useDocument((state) => state.annotations.size);
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const { id } = editor.document.state.image;
    let isGone = false;
    editor.attach(place.current!);
    showImage(editor, id).catch(() => {
      if (!isGone) editor.parts.notify("error", t`The image cannot be shown`, t`It could not be loaded or is damaged.`);
    });
    return () => {
      isGone = true;
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
