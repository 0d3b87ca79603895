import { type CSSProperties, useEffect, useRef } from "react";
import { getImage } from "../../../shared/api/image";
import { url } from "../../io/http/request";
import { useEditor, useToolbox } from "../editor/context";
import "./canvas.css";

/** Element for the canvas; the editor manages everything in it. */
export function Canvas() {
  const editor = useEditor();
  const { tool } = useToolbox();
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const { id } = editor.document.state.image;
    let isGone = false;
    editor.attach(place.current!, url(getImage, { params: { id } })).catch(() => {
      if (!isGone) editor.parts.notify("error", "The image cannot be shown", "It could not be loaded or is damaged.");
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
      aria-label={`Image ${editor.document.state.image.file_name}`}
      style={{ "--tool-cursor": tool.cursor } as CSSProperties}
    />
  );
}
