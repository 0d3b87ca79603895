import { useEffect } from "react";

/** Ignores files dropped outside a drop zone. The browser would open them in place of the application. */
export function useNoStrayDrops(): void {
  useEffect(() => {
    const handleStray = (event: DragEvent) => {
      if (!event.dataTransfer?.types.includes("Files") || event.defaultPrevented) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = "none";
    };
    window.addEventListener("dragover", handleStray);
    window.addEventListener("drop", handleStray);
    return () => {
      window.removeEventListener("dragover", handleStray);
      window.removeEventListener("drop", handleStray);
    };
  }, []);
}
