import {
  ActionIcon,
  Button,
  Divider,
  Group,
  Kbd,
  Popover,
  SegmentedControl,
  Slider,
  Stack,
  Switch,
  Text,
  Tooltip,
} from "@mantine/core";
import { Maximize, Minus, Plus, SlidersHorizontal } from "lucide-react";
import type { ComponentType } from "react";
import { TOGGLES } from "../../actions/sightCommands";
import { useEditor, useLayers, useViewSettings, useViewToggles, useZoom } from "../../editor/context";
import { showKeys } from "../../keyboard/shortcuts";
import { FILL_ALPHA, IMAGE_PERCENT, type ViewLook } from "../../preferences/viewSettings";
import classes from "../common/Annotator.module.css";
import { useKeysOf } from "../common/useKeysOf";

/** Controls in the corner of the canvas: zoom, brightness, contrast and opacity, and what is shown on the image. */
export function ViewMenu() {
  const editor = useEditor();
  const { view, viewSettings } = editor;
  const zoom = useZoom();
  useViewSettings();
  const shown = zoom < 0.1 ? (zoom * 100).toFixed(1) : Math.round(zoom * 100);
  return (
    <section className={classes.view} aria-label="Zoom and display">
      <ViewButton label="Zoom Out" icon={Minus} onClick={() => view.zoomStep(-1)} />
      <Tooltip label="Zoom to 100 %" position="top">
        <button
          type="button"
          className={classes.zoom}
          aria-label={`Zoom ${shown} %, zoom to 100 %`}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => view.zoomTo(1)}
        >
          {shown} %
        </button>
      </Tooltip>
      <ViewButton label="Zoom In" icon={Plus} onClick={() => view.zoomStep(1)} />
      <ViewButton label="Fit" icon={Maximize} onClick={() => view.fit()} />
      <Popover position="top-end" width={240} shadow="md" trapFocus withArrow onClose={() => editor.focus()}>
        <Popover.Target>
          <ActionIcon
            size={24}
            variant={viewSettings.isUsual ? "subtle" : "light"}
            color={viewSettings.isUsual ? "gray" : undefined}
            aria-label="Brightness, contrast, opacity"
            title="Brightness, contrast, opacity, names, guides"
          >
            <SlidersHorizontal size={14} />
          </ActionIcon>
        </Popover.Target>
        <Popover.Dropdown aria-label="Brightness, contrast, opacity">
          <Looks />
          <Divider my="sm" />
          <Toggles />
        </Popover.Dropdown>
      </Popover>
    </section>
  );
}

function Looks() {
  const { viewSettings, layers } = useEditor();
  const { brightness, contrast, opacity } = useViewSettings();
  const colorBy = useLayers((state) => state.colorBy);
  const change = (part: Partial<ViewLook>) => viewSettings.change(part);
  return (
    <Stack gap="sm">
      <LookSlider
        label="Brightness"
        value={brightness}
        bounds={IMAGE_PERCENT}
        onChange={(value) => change({ brightness: value })}
      />
      <LookSlider
        label="Contrast"
        value={contrast}
        bounds={IMAGE_PERCENT}
        onChange={(value) => change({ contrast: value })}
      />
      <LookSlider
        label="Shape opacity"
        value={Math.round(opacity * 100)}
        bounds={{ min: FILL_ALPHA.min * 100, max: FILL_ALPHA.max * 100, step: FILL_ALPHA.step * 100 }}
        onChange={(value) => change({ opacity: value / 100 })}
      />
      <div>
        <Text size="xs" mb={4}>
          Color shapes by
        </Text>
        <SegmentedControl
          fullWidth
          size="xs"
          aria-label="Color shapes by"
          data={[
            { value: "category", label: "Category" },
            { value: "annotation", label: "Annotation" },
          ]}
          value={colorBy}
          onChange={(value) => layers.setColorBy(value === "annotation" ? "annotation" : "category")}
        />
      </div>
      <Button
        variant="default"
        size="compact-xs"
        style={{ alignSelf: "end" }}
        disabled={viewSettings.isUsual}
        onClick={() => viewSettings.reset()}
      >
        Reset
      </Button>
    </Stack>
  );
}

/** Switches for names, outlines, crosshair and pixel grid, with their keys. */
function Toggles() {
  const { viewToggles } = useEditor();
  const flags = useViewToggles();
  const keysOf = useKeysOf();
  return (
    <Stack gap={6}>
      {TOGGLES.map(({ what, name }) => {
        const [keys] = keysOf(`toggle ${what}`);
        return (
          <Group key={what} justify="space-between" wrap="nowrap">
            <Switch size="xs" label={name} checked={flags[what]} onChange={() => viewToggles.toggle(what)} />
            {keys && <Kbd size="xs">{showKeys(keys)}</Kbd>}
          </Group>
        );
      })}
    </Stack>
  );
}

interface LookSliderProps {
  label: string;
  /** In percent. */
  value: number;
  bounds: { min: number; max: number; step: number };
  onChange: (value: number) => void;
}

function LookSlider({ label, value, bounds: { min, max, step }, onChange }: LookSliderProps) {
  return (
    <div>
      <Group justify="space-between" mb={2}>
        <Text size="xs">{label}</Text>
        <Text size="xs" c="dimmed">
          {value} %
        </Text>
      </Group>
      <Slider
        size="sm"
        thumbLabel={label}
        label={null}
        thumbProps={{ "aria-valuetext": `${value} %` }}
        min={min}
        max={max}
        step={step}
        value={value}
        onChange={onChange}
      />
    </div>
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
