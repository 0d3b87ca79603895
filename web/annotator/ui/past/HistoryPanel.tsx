import { t } from "@lingui/core/macro";
import { ActionIcon, Button, Group, SegmentedControl, Text } from "@mantine/core";
import { X } from "lucide-react";
import { type KeyboardEvent, useEffect, useState } from "react";
import { useDocument, useEditor, useMayEdit, usePast, useSelection } from "../../editor/context";
import { AnnotationVersions } from "./AnnotationVersions";
import classes from "./History.module.css";
import { MomentView } from "./MomentView";
import { StepSlider } from "./StepSlider";
import { StepsList } from "./StepsList";
import { useRoomOnCanvas } from "./useRoomOnCanvas";
import { useTimeline } from "./useTimeline";

/** Panel over the canvas with the image's history, and the chosen moment on the canvas. */
export function HistoryPanel() {
  return usePast(({ isOpen }) => isOpen) ? <OpenPanel /> : null;
}

function OpenPanel() {
  const editor = useEditor();
  const { past } = editor;
  const timeline = useTimeline();
  const { step, moment, stepBy } = timeline;
  const chosen = usePast((state) => state.chosen);
  const selected = useSelection((state) => state.annotation);
  const [tab, setTab] = useState<"image" | "annotation">("image");
  const panel = useRoomOnCanvas();
  useEffect(() => {
    if (selected) past.choose(selected);
  }, [past, selected]);
  useEffect(() => past.setStepper(stepBy), [past, stepBy]);
  useEffect(() => () => editor.hideShapes(false), [editor]);
  const handleKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || event.defaultPrevented) return;
    event.preventDefault();
    past.close();
    editor.focus();
  };
  return (
    <>
      <MomentView step={step} />
      <section ref={panel} className={classes.panel} aria-label={t`History`} onKeyDown={handleKeyDown}>
        <Group justify="space-between" wrap="nowrap">
          <Text size="sm" fw={600}>
            {t`History`}
          </Text>
          <ActionIcon
            size="sm"
            variant="subtle"
            color="gray"
            aria-label={t`Close history`}
            onClick={() => {
              past.close();
              editor.focus();
            }}
          >
            <X size={14} />
          </ActionIcon>
        </Group>
        <StepSlider timeline={timeline} />
        <MomentButtons isReady={timeline.isReady} onDone={() => timeline.choose(null)} />
        {moment.state === "loaded" && moment.data.unknown.length > 0 && (
          <UnknownLine count={moment.data.unknown.length} />
        )}
        <SegmentedControl
          size="xs"
          fullWidth
          value={tab}
          onChange={(value) => setTab(value === "annotation" ? "annotation" : "image")}
          data={[
            { value: "image", label: t`Image` },
            { value: "annotation", label: t`Annotation` },
          ]}
        />
        {tab === "image" ? (
          <StepsList timeline={timeline} />
        ) : chosen ? (
          <AnnotationVersions key={chosen} uuid={chosen} timeline={timeline} />
        ) : (
          <Text size="xs" c="dimmed">
            {t`Select an annotation, or click one of the shown moment.`}
          </Text>
        )}
      </section>
    </>
  );
}

/** Buttons that leave the shown moment, or put the image or an annotation back to it. */
function MomentButtons({ isReady, onDone }: { isReady: boolean; onDone: () => void }) {
  const editor = useEditor();
  const { past, ui } = editor;
  const moment = usePast((state) => state.moment);
  const chosen = usePast((state) => state.chosen);
  const mayEdit = useMayEdit();
  const now = useDocument((state) => (chosen === null ? undefined : state.annotations.get(chosen)));
  if (!moment) return null;
  const then = moment.annotations.find(({ uuid }) => uuid === chosen);
  const isKnown = chosen !== null && !moment.unknown.includes(chosen) && (then !== undefined || now !== undefined);
  const putBack = (only?: string) => {
    const isChanged = past.putBack(only);
    onDone();
    ui.showMessage(isChanged ? t`Put back. Undo reverts it.` : t`Nothing differs from that moment.`);
    editor.focus();
  };
  const shown = then ?? now;
  const category = editor.document.category(shown?.category_id ?? null)?.name ?? t`Annotation`;
  const name = `${category} ${shown?.id ?? ""}`.trim();
  return (
    <div className={classes.buttons}>
      {mayEdit && (
        <Button size="compact-xs" disabled={!isReady} onClick={() => putBack()}>
          {t`Put the image back to this moment`}
        </Button>
      )}
      {mayEdit && isKnown && (
        <Button size="compact-xs" variant="default" disabled={!isReady} onClick={() => putBack(chosen)}>
          {t`Put back only ${name}`}
        </Button>
      )}
      <Button size="compact-xs" variant="default" onClick={onDone}>
        {t`Back to now`}
      </Button>
    </div>
  );
}

function UnknownLine({ count }: { count: number }) {
  return (
    <Text size="xs" c="dimmed">
      {t`Not shown, because their record is no longer kept: ${count}`}
    </Text>
  );
}
