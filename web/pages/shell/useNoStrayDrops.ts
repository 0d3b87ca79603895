import { useEffect } from "react";

/** A file dropped where nothing takes it would open in place of the application, and end what is being done. */
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
