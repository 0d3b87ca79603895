import { t } from "@lingui/core/macro";
import { Button, CloseButton, Group, Kbd, Text } from "@mantine/core";
import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { showKeys } from "../../keyboard/shortcuts";
import { endTour, tour } from "../../state/tour";
import { useKeysOf } from "../common/useKeysOf";
import { cardPlace } from "./cardPlace";
import { tourSteps } from "./steps";
import classes from "./Tour.module.css";
import { useAnchor } from "./useAnchor";

/** Card with a step of the tour, beside its control. The page stays usable. Escape or the button ends the tour. */
export function Tour({ step }: { step: number }) {
  const steps = tourSteps();
  const { title, text, anchor, command } = steps[step]!;
  const place = useAnchor(anchor);
  const keysOf = useKeysOf();
  const card = useRef<HTMLElement>(null);
  const [size, setSize] = useState({ width: 320, height: 170 });
  // biome-ignore lint/correctness/useExhaustiveDependencies: each step has another height
  useLayoutEffect(() => {
    if (card.current) setSize({ width: card.current.offsetWidth, height: card.current.offsetHeight });
  }, [step]);
  useEffect(() => {
    const handleKey = (event: KeyboardEvent) => {
      if (event.key !== "Escape" || document.querySelector('[role="dialog"][aria-modal="true"]')) return;
      event.stopPropagation();
      endTour();
    };
    window.addEventListener("keydown", handleKey, true);
    return () => window.removeEventListener("keydown", handleKey, true);
  }, []);
  const isLast = step === steps.length - 1;
  const goTo = (next: number) => tour.setState({ step: next });
  const [keys] = command ? keysOf(command) : [];
  return (
    <>
      {place && (
        <div
          className={classes.ring}
          style={{ left: place.left - 5, top: place.top - 5, width: place.width + 10, height: place.height + 10 }}
        />
      )}
      <section
        ref={card}
        className={classes.card}
        style={cardPlace(place, size, { width: window.innerWidth, height: window.innerHeight })}
        aria-label={t`Tour`}
        onMouseDown={(event) => event.preventDefault()}
      >
        <Group justify="space-between" wrap="nowrap" gap="xs">
          <Text fw={600} size="sm">
            {title}
          </Text>
          <CloseButton size="sm" aria-label={t`End the tour`} onClick={endTour} />
        </Group>
        <div role="status">
          <Text size="sm" mt={4}>
            {text} {keys && <Kbd size="xs">{showKeys(keys)}</Kbd>}
          </Text>
        </div>
        <Group justify="space-between" mt="sm" wrap="nowrap">
          <Text size="xs" c="dimmed">
            {t`${{ number: step + 1 }} of ${{ total: steps.length }}`}
          </Text>
          <Group gap={6}>
            {step > 0 && (
              <Button size="xs" variant="subtle" onClick={() => goTo(step - 1)}>
                {t`Back`}
              </Button>
            )}
            <Button size="xs" onClick={() => (isLast ? endTour() : goTo(step + 1))}>
              {isLast ? t`Done` : t`Next`}
            </Button>
          </Group>
        </Group>
      </section>
    </>
  );
}
