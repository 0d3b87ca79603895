import { t } from "@lingui/core/macro";
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
    <section className={classes.view} aria-label={t`Zoom and display`}>
      <ViewButton label={t`Zoom Out`} icon={Minus} onClick={() => view.zoomStep(-1)} />
      <Tooltip label={t`Zoom to 100%`} position="top">
        <ZoomButton
          className={classes.zoom}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => view.zoomTo(1)}
        />
      </Tooltip>
      <ViewButton label={t`Zoom In`} icon={Plus} onClick={() => view.zoomStep(1)} />
      <ViewButton label={t`Fit`} icon={Maximize} onClick={() => view.fit()} />
      <Popover position="top-end" width={270} shadow="md" trapFocus withArrow onClose={() => editor.focus()}>
        <Popover.Target>
          <ActionIcon
            size={24}
            variant={viewSettings.isUsual ? "subtle" : "light"}
            color={viewSettings.isUsual ? "gray" : undefined}
            aria-label={t`View`}
            title={t`View: image, shapes, colors, screen`}
          >
            <SlidersHorizontal size={14} />
          </ActionIcon>
        </Popover.Target>
        <Popover.Dropdown aria-label={t`View`} className={classes.viewPanel}>
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
    <button {...props} type="button" aria-label={t`Zoom ${shown}%, zoom to 100%`}>
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
