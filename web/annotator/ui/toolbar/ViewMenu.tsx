import { ActionIcon, Popover, Tooltip } from "@mantine/core";
import { Maximize, Minus, Plus, SlidersHorizontal } from "lucide-react";
import type { ComponentProps, ComponentType } from "react";
import { useEditor, useViewSettings, useZoom } from "../../editor/context";
import classes from "../common/Annotator.module.css";
import { ViewPanel } from "./ViewPanel";

/** Controls in the corner of the canvas: zoom, and the menu of display settings. */
export function ViewMenu() {
  const editor = useEditor();
  const { view, viewSettings } = editor;
  useViewSettings();
  return (
    <section className={classes.view} aria-label="Zoom and display">
      <ViewButton label="Zoom Out" icon={Minus} onClick={() => view.zoomStep(-1)} />
      <Tooltip label="Zoom to 100%" position="top">
        <ZoomButton
          className={classes.zoom}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => view.zoomTo(1)}
        />
      </Tooltip>
      <ViewButton label="Zoom In" icon={Plus} onClick={() => view.zoomStep(1)} />
      <ViewButton label="Fit" icon={Maximize} onClick={() => view.fit()} />
      <Popover position="top-end" width={270} shadow="md" trapFocus withArrow onClose={() => editor.focus()}>
        <Popover.Target>
          <ActionIcon
            size={24}
            variant={viewSettings.isUsual ? "subtle" : "light"}
            color={viewSettings.isUsual ? "gray" : undefined}
            aria-label="View"
            title="View: image, shapes, colors, screen"
          >
            <SlidersHorizontal size={14} />
          </ActionIcon>
        </Popover.Target>
        <Popover.Dropdown aria-label="View" className={classes.viewPanel}>
          <ViewPanel />
        </Popover.Dropdown>
      </Popover>
    </section>
  );
}

/** Button with the zoom. A component of its own, because it is rendered again in each frame of a zoom. */
function ZoomButton(props: ComponentProps<"button">) {
  const zoom = useZoom();
  const shown = zoom < 0.1 ? (zoom * 100).toFixed(1) : Math.round(zoom * 100);
  return (
    <button {...props} type="button" aria-label={`Zoom ${shown}%, zoom to 100%`}>
      {shown}%
    </button>
  );
}

interface ViewButtonProps {
  label: string;
  icon: ComponentType<{ size?: number }>;
  onClick: () => void;
}

/** Button whose press keeps the focus on the canvas. */
function ViewButton({ label, icon: Icon, onClick }: ViewButtonProps) {
  return (
    <ActionIcon
      size={24}
      variant="subtle"
      color="gray"
      aria-label={label}
      title={label}
      onMouseDown={(event) => event.preventDefault()}
      onClick={onClick}
    >
      <Icon size={14} />
    </ActionIcon>
  );
}
