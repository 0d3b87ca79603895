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
const mouse = (): readonly Gesture[] => [
  ["Zoom", "Wheel, or pinch on a trackpad"],
  ["Move the image", "Space + drag, middle button, or drag beside the image"],
  ["Move up and down", `${controlKey()} + wheel`],
  ["Move left and right", "Shift + wheel"],
  ["Select", "Click"],
  ["Select several", "Shift + click, or drag a box around them on the image (with Alt, a loop)"],
  ["Select rows in the list", `Shift + click for all rows up to one, ${controlKey()} + click for single rows`],
  ["Move the selected annotations", "Drag one of them"],
  ["Annotation settings", "Double click"],
  ["Delete a point", "Shift + click on it"],
  ["Insert a point", "Drag on the outline"],
  ["Rotate a box", "Drag the handle above it; with Shift in steps of 15 degrees"],
  ["Square or circle", "Press Shift after the first corner"],
  ["Select the next shape at the same place", "Click again"],
  ["Cut out of the shape, with any drawing tool", "Alt + click or drag"],
  ["Correct DEXTR's outline", "Click outside the outline to add, Alt + click to take away"],
  ["Add to the shape, with a box, an ellipse or the eraser", "Shift + click or drag"],
  ["Subtract with the magic wand", "Shift + click or drag"],
];
const CURSOR: readonly Gesture[] = [
  ["Move the cursor", "Arrow keys; with Shift by 10 pixels"],
  ["Click, set a corner", "Enter"],
  ["Press, drag with the arrow keys, release", "Space"],
];
const TOUCH: readonly Gesture[] = [
  ["Draw, select", "One finger or the pen"],
  ["Move and zoom, whatever the tool", "Two fingers"],
  ["Shift, Alt", "The Shift and Cut buttons on the image"],
  ["Rest your hand", "While a pen is in use, fingers only move the image"],
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
    <Modal opened returnFocus={false} onClose={() => ui.close()} title="Keyboard Shortcuts" size={900}>
      <TextInput
        data-autofocus
        mb="md"
        placeholder="Search commands and keys"
        aria-label="Search commands and keys"
        leftSection={<Search size={15} />}
        description="Click keys to change them."
        inputWrapperOrder={["label", "input", "description"]}
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
      />
      <ShortcutFields search={search} />
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="xl" mt="md">
        <Gestures title="Mouse" gestures={mouse()} wanted={wanted} />
        <Gestures title="Keyboard cursor" gestures={CURSOR} wanted={wanted} />
        <Gestures title="Touch and pen" gestures={TOUCH} wanted={wanted} />
      </SimpleGrid>
      <Group justify="flex-end" mt="md">
        <Button variant="default" size="xs" leftSection={<Footprints size={14} />} onClick={handleTour}>
          Tour of the annotator
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
      <Title order={5}>{title}</Title>
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
