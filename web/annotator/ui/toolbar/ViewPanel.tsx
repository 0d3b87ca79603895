import { t } from "@lingui/core/macro";
import { Button, Group, Kbd, Select, Slider, Stack, Switch, Text } from "@mantine/core";
import { useState } from "react";
import { PALETTES, type PaletteName } from "../../../../shared/color/palettes";
import { COMMON_FLAGS } from "../../../../shared/entities/attribute";
import { i18n } from "../../../languages/i18n";
import { type Toggle, toggles } from "../../actions/commands/sightCommands";
import { attributeOf, byAttribute, COLOR_BY, type ColorBy } from "../../colors/colorBy";
import { useEditor, useLayers, useViewSettings, useViewToggles } from "../../editor/context";
import { showKeys } from "../../keyboard/shortcuts";
import { FILL_ALPHA, IMAGE_PERCENT, type ViewLook } from "../../preferences/viewSettings";
import { useKeysOf } from "../common/useKeysOf";

/** Content of the view menu: the image, the shapes and their colours, and aids around them. */
export function ViewPanel() {
  const { viewSettings } = useEditor();
  const { brightness, contrast, opacity } = useViewSettings();
  const change = (part: Partial<ViewLook>) => viewSettings.change(part);
  return (
    <Stack gap="md">
      <Part title={t`Image`}>
        <LookSlider
          label={t`Brightness`}
          value={brightness}
          bounds={IMAGE_PERCENT}
          onChange={(value) => change({ brightness: value })}
        />
        <LookSlider
          label={t`Contrast`}
          value={contrast}
          bounds={IMAGE_PERCENT}
          onChange={(value) => change({ contrast: value })}
        />
      </Part>
      <Part title={t`Shapes`}>
        <LookSlider
          label={t`Shape opacity`}
          value={Math.round(opacity * 100)}
          bounds={{ min: FILL_ALPHA.min * 100, max: FILL_ALPHA.max * 100, step: FILL_ALPHA.step * 100 }}
          onChange={(value) => change({ opacity: value / 100 })}
        />
        <Toggles of="shapes" />
      </Part>
      <Part title={t`Colors`}>
        <Colors />
      </Part>
      <Part title={t`On the screen`}>
        <Toggles of="screen" />
      </Part>
      <Button
        variant="default"
        size="compact-xs"
        style={{ alignSelf: "end" }}
        disabled={viewSettings.isUsual}
        onClick={() => viewSettings.reset()}
      >
        {t`Reset sliders`}
      </Button>
    </Stack>
  );
}

function Part({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <Stack gap={8} component="section" aria-label={title}>
      <Text size="xs" fw={600} c="dimmed">
        {title}
      </Text>
      {children}
    </Stack>
  );
}

/** Style of field labels, the same as that of the sliders' labels. */
const LABEL = { label: { fontWeight: 400, marginBottom: 2 } };

/** Choice of the meaning of shape colours, and palettes for the categories. */
function Colors() {
  const { layers, categories } = useEditor();
  const colorBy = useLayers((state) => state.colorBy);
  const shown = attributeOf(colorBy);
  const names = [...new Set([...layers.attributes(), ...COMMON_FLAGS, ...(shown === null ? [] : [shown])])];
  const [palette, setPalette] = useState<PaletteName>("Okabe–Ito");
  return (
    <>
      <Select
        size="xs"
        styles={LABEL}
        label={t`Color shapes by`}
        allowDeselect={false}
        data={[
          ...COLOR_BY.map(({ value, name }): { value: ColorBy; label: string } => ({ value, label: i18n._(name) })),
          ...names.map((name) => ({ value: byAttribute(name), label: t`Attribute: ${name}` })),
        ]}
        value={colorBy}
        onChange={(value) => value && layers.setColorBy(value)}
        comboboxProps={{ withinPortal: false }}
      />
      <Group gap={6} align="end" wrap="nowrap">
        <Select
          size="xs"
          styles={LABEL}
          flex={1}
          label={t`Color-blind safe palette`}
          allowDeselect={false}
          data={Object.keys(PALETTES)}
          value={palette}
          onChange={(value) => setPalette(value as PaletteName)}
          comboboxProps={{ withinPortal: false }}
        />
        <Button variant="default" size="xs" onClick={() => categories.recolor(palette)}>
          {t`Recolor`}
        </Button>
      </Group>
      <Group gap={3} aria-hidden="true">
        {PALETTES[palette].map((color) => (
          <span key={color} style={{ width: 16, height: 8, borderRadius: 2, background: color }} />
        ))}
      </Group>
    </>
  );
}

/** Switches of one section of the view menu, with their keys. */
function Toggles({ of }: { of: Toggle["of"] }) {
  const { viewToggles } = useEditor();
  const flags = useViewToggles();
  const keysOf = useKeysOf();
  return (
    <Stack gap={6}>
      {toggles()
        .filter((toggle) => toggle.of === of)
        .map(({ what, name }) => {
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
          {value}%
        </Text>
      </Group>
      <Slider
        size="sm"
        thumbLabel={label}
        label={null}
        thumbProps={{ "aria-valuetext": `${value}%` }}
        min={min}
        max={max}
        step={step}
        value={value}
        onChange={onChange}
      />
    </div>
  );
}
