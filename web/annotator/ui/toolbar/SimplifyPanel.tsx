import { t } from "@lingui/core/macro";
import { Button, Group, Slider, Switch, Text } from "@mantine/core";
import { type FormEvent, type KeyboardEvent, useEffect, useRef } from "react";
import { MOST_TOLERANCE } from "../../drawing/simplifying";
import { useEditor, useSimplifyChoice } from "../../editor/context";
import classes from "../common/Annotator.module.css";

/** Panel at the top of the canvas with the tolerance of a simplification, whose result is previewed on the image. */
export function SimplifyPanel() {
  const editor = useEditor();
  const choice = useSimplifyChoice();
  const form = useRef<HTMLFormElement>(null);
  const isOpen = choice !== null;
  useEffect(() => {
    // React's autoFocus has no effect on the slider's thumb, which is no form element.
    if (isOpen) form.current?.querySelector<HTMLElement>('[role="slider"]')?.focus();
  }, [isOpen]);
  if (!choice) return null;
  const { simplifying } = editor;
  const { tolerance, isRound, before, after } = choice;
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault();
    void simplifying.apply();
    editor.focus();
  };
  const handleKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Enter") handleSubmit(event);
    if (event.key !== "Escape") return;
    event.preventDefault();
    simplifying.cancel();
    editor.focus();
  };
  return (
    <form
      ref={form}
      className={classes.simplify}
      aria-label={t`Simplify`}
      onSubmit={handleSubmit}
      onKeyDown={handleKeyDown}
    >
      <Group gap="sm" wrap="nowrap">
        <Text size="sm" fw={600}>
          {t`Simplify`}
        </Text>
        <Slider
          w={180}
          size="sm"
          thumbLabel={t`Tolerance`}
          label={null}
          thumbProps={{ "aria-valuetext": t`${tolerance} pixels` }}
          min={0}
          max={MOST_TOLERANCE}
          step={0.25}
          value={tolerance}
          onChange={(value) => simplifying.change({ tolerance: value })}
        />
        <Text size="xs" w={48} className={classes.number}>
          {tolerance} px
        </Text>
        <Switch
          size="xs"
          label={t`Round corners`}
          checked={isRound}
          onChange={(event) => simplifying.change({ isRound: event.currentTarget.checked })}
        />
        <Text size="xs" c="dimmed" w={110} className={classes.number} aria-live="polite">
          {t`${before} → ${{ after: after ?? "…" }} points`}
        </Text>
        <Button size="compact-xs" variant="default" onClick={() => simplifying.cancel()}>
          {t`Cancel`}
        </Button>
        <Button size="compact-xs" type="submit">
          {t`Apply`}
        </Button>
      </Group>
    </form>
  );
}
