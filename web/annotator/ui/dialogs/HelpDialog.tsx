import { t } from "@lingui/core/macro";
import { Button, Group, Modal, SimpleGrid, TextInput, Title } from "@mantine/core";
import { Footprints, Search } from "lucide-react";
import { useState } from "react";
import { foldText } from "../../../../shared/text/fold";
import { controlKey } from "../../../components/platform";
import { useEditor } from "../../editor/context";
import { startTour } from "../../state/tour";
import { ShortcutFields } from "../shortcuts/ShortcutFields";
import classes from "../shortcuts/Shortcuts.module.css";

type Gesture = readonly [what: string, how: string];

/** Mouse gestures. They are not commands, but users look for them here. */
const mouse = (control = controlKey()): readonly Gesture[] => [
  [t`Zoom`, t`Wheel, or pinch on a trackpad`],
  [t`Move the image`, t`Space + drag, middle button, or drag beside the image`],
  [t`Move up and down`, t`${control} + wheel`],
  [t`Move left and right`, t`Shift + wheel`],
  [t`Select`, t`Click`],
  [t`Select several`, t`Shift + click, or drag a box around them on the image (with Alt, a loop)`],
  [t`Select rows in the list`, t`Shift + click for all rows up to one, ${control} + click for single rows`],
  [t`Move the selected annotations`, t`Drag one of them`],
  [t`Annotation settings`, t`Double click`],
  [t`Delete a point`, t`Shift + click on it`],
  [t`Insert a point`, t`Drag on the outline`],
  [t`Rotate a box`, t`Drag the handle above it; with Shift in steps of 15 degrees`],
  [t`Square or circle`, t`Press Shift after the first corner`],
  [t`Select the next shape at the same place`, t`Click again`],
  [t`Cut out of the shape, with any drawing tool`, t`Alt + click or drag`],
  [t`Correct DEXTR's outline`, t`Click outside the outline to add, Alt + click to take away`],
  [t`Add to the shape, with a box, an ellipse or the eraser`, t`Shift + click or drag`],
  [t`Subtract with the magic wand`, t`Shift + click or drag`],
];
const cursor = (): readonly Gesture[] => [
  [t`Move the cursor`, t`Arrow keys; with Shift by 10 pixels`],
  [t`Click, set a corner`, "Enter"],
  [t`Press, drag with the arrow keys, release`, t`Space`],
];
const touch = (): readonly Gesture[] => [
  [t`Draw, select`, t`One finger or the pen`],
  [t`Move and zoom, whatever the tool`, t`Two fingers`],
  [t`Shift, Alt`, t`The Shift and Cut buttons on the image`],
  [t`Rest your hand`, t`While a pen is in use, fingers only move the image`],
];

/** Dialog with all shortcuts, which can be changed here, and the gestures of mouse, touch and pen. */
export function HelpDialog() {
  const { ui } = useEditor();
  const [search, setSearch] = useState("");
  const wanted = foldText(search.trim());
  const handleTour = () => {
    ui.close();
    startTour();
  };
  return (
    <Modal opened returnFocus={false} onClose={() => ui.close()} title={t`Keyboard Shortcuts`} size={900}>
      <TextInput
        data-autofocus
        mb="md"
        placeholder={t`Search commands and keys`}
        aria-label={t`Search commands and keys`}
        leftSection={<Search size={15} />}
        description={t`Click keys to change them.`}
        inputWrapperOrder={["label", "input", "description"]}
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
      />
      <ShortcutFields search={search} />
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="xl" mt="md">
        <Gestures title={t`Mouse`} gestures={mouse()} wanted={wanted} />
        <Gestures title={t`Keyboard cursor`} gestures={cursor()} wanted={wanted} />
        <Gestures title={t`Touch and pen`} gestures={touch()} wanted={wanted} />
      </SimpleGrid>
      <Group justify="flex-end" mt="md">
        <Button variant="default" size="xs" leftSection={<Footprints size={14} />} onClick={handleTour}>
          {t`Tour of the annotator`}
        </Button>
      </Group>
    </Modal>
  );
}

function Gestures({ title, gestures, wanted }: { title: string; gestures: readonly Gesture[]; wanted: string }) {
  const found = gestures.filter((gesture) => foldText(gesture.join(" ")).includes(wanted));
  if (found.length === 0) return null;
  return (
    <section aria-label={title}>
      <Title order={3} size="h5">
        {title}
      </Title>
      <dl className={classes.gestures}>
        {found.map(([what, how]) => (
          <div key={what}>
            <dt>{what}</dt>
            <dd>{how}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
