import { t } from "@lingui/core/macro";
import type { View } from "../../canvas/view/view";
import { byAttribute, COLOR_BY, type ColorBy } from "../../colors/colorBy";
import type { Layers } from "../../document/layers";
import type { Command } from "../../keyboard/shortcuts";
import type { ViewLook, ViewSettings } from "../../preferences/viewSettings";

/** Names of the commands that change the look: more, then less of it. */
const lookNames = (): Record<keyof ViewLook, readonly [more: string, less: string]> => ({
  brightness: [t`Increase Brightness`, t`Decrease Brightness`],
  contrast: [t`Increase Contrast`, t`Decrease Contrast`],
  opacity: [t`Increase Shape Opacity`, t`Decrease Shape Opacity`],
});

/** Commands for zoom, colours, brightness, contrast and opacity. Only zoom in and zoom out have default keys. */
export function viewCommands(view: View, settings: ViewSettings, layers: Layers): Command[] {
  const group = "View";
  const looks = (Object.entries(lookNames()) as [keyof ViewLook, [string, string]][]).flatMap(
    ([what, [more, less]]): Command[] => [
      {
        id: `more ${what}`,
        name: more,
        group,
        keys: [],
        repeats: true,
        run: () => settings.step(what, 1),
      },
      {
        id: `less ${what}`,
        name: less,
        group,
        keys: [],
        repeats: true,
        run: () => settings.step(what, -1),
      },
    ],
  );
  return [
    {
      id: "zoom in",
      name: t`Zoom In`,
      group,
      keys: [["+"], ["="]],
      repeats: true,
      run: () => view.zoomStep(1),
    },
    {
      id: "zoom out",
      name: t`Zoom Out`,
      group,
      keys: [["-"]],
      repeats: true,
      run: () => view.zoomStep(-1),
    },
    { id: "actual size", name: t`Zoom to 100%`, group, keys: [], run: () => view.zoomTo(1) },
    {
      id: "color by",
      name: t`Color Shapes by Category, Annotation, Author or Attribute`,
      group,
      keys: [],
      run: () => layers.setColorBy(nextColorBy(layers.state.colorBy, layers.attributes())),
    },
    ...looks,
    { id: "usual look", name: t`Reset Brightness, Contrast and Opacity`, group, keys: [], run: () => settings.reset() },
  ];
}

/** Returns the meaning of colours after `now`: those that every image has, then the attributes; then the first. */
function nextColorBy(now: ColorBy, attributes: readonly string[]): ColorBy {
  const all: readonly ColorBy[] = [...COLOR_BY.map(({ value }) => value), ...attributes.map(byAttribute)];
  return all[all.indexOf(now) + 1] ?? COLOR_BY[0].value;
}
