import type { MessageDescriptor } from "@lingui/core";
import { msg, t } from "@lingui/core/macro";
import { Tabs, VisuallyHidden } from "@mantine/core";
import { ChartColumn, Download, Images, type LucideIcon, Scale, Settings, ShieldCheck, Users } from "lucide-react";
import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from "react";
import { i18n } from "../../languages/i18n";
import classes from "./TabList.module.css";
import type { TabName } from "./tabOrder";

const LOOK: Record<TabName, { label: MessageDescriptor; icon: LucideIcon }> = {
  images: { label: msg`Images`, icon: Images },
  exports: { label: msg`Exports`, icon: Download },
  members: { label: msg`Members`, icon: Users },
  statistics: { label: msg`Statistics`, icon: ChartColumn },
  quality: { label: msg`Quality`, icon: ShieldCheck },
  consensus: { label: msg`Consensus`, icon: Scale },
  settings: { label: msg`Settings`, icon: Settings },
};

/** Distance in pixels from which a press becomes a drag. */
const DRAG_FROM = 6;

interface Props {
  shown: TabName;
  order: readonly TabName[];
  /** Moves a tab by some positions and returns its new index. */
  onMove: (tab: TabName, by: number) => number;
}

/** The tabs in the user's order, which can be changed by dragging or with Shift and an arrow key. */
export function TabList({ shown, order, onMove }: Props) {
  const [dragged, setDragged] = useState<TabName>();
  const [message, setMessage] = useState("");
  const start = useRef(0);
  const frame = useRef<HTMLDivElement>(null);
  const count = order.length;
  // On a phone the list scrolls. The tab Consensus appears once the dataset is loaded.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs again for another tab, and when tabs are added
  useEffect(() => {
    const tab = frame.current?.querySelector('[aria-selected="true"]');
    tab?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [shown, count]);

  const handleKey = (event: KeyboardEvent, tab: TabName) => {
    const by = event.key === "ArrowLeft" ? -1 : event.key === "ArrowRight" ? 1 : 0;
    if (!by || !event.shiftKey) return;
    event.preventDefault();
    // Mantine would move the focus to another tab.
    event.stopPropagation();
    const [name, place] = [i18n._(LOOK[tab].label), onMove(tab, by) + 1];
    setMessage(t`${name} is tab ${place} of ${count}`);
  };
  const handlePress = (event: PointerEvent<HTMLElement>) => {
    start.current = event.clientX;
    // From the press on: the first move may already be over the next tab, which would be dragged instead.
    if (event.button === 0) event.currentTarget.setPointerCapture(event.pointerId);
  };
  const handleMove = (event: PointerEvent<HTMLElement>, tab: TabName) => {
    if (!(event.buttons & 1)) return;
    if (dragged !== tab && Math.abs(event.clientX - start.current) < DRAG_FROM) return;
    if (dragged !== tab) setDragged(tab);
    const by = stepTo(event.currentTarget, event.clientX);
    if (by) onMove(tab, by);
  };
  const handleEnd = () => setDragged(undefined);
  return (
    <div className={classes.frame} ref={frame}>
      <Tabs.List px="md" className={classes.list}>
        {order.map((tab) => {
          const { label, icon: Icon } = LOOK[tab];
          return (
            <Tabs.Tab
              key={tab}
              value={tab}
              leftSection={<Icon size={14} />}
              className={classes.tab}
              data-dragged={dragged === tab || undefined}
              aria-keyshortcuts="Shift+ArrowLeft Shift+ArrowRight"
              onKeyDownCapture={(event) => handleKey(event, tab)}
              onPointerDown={handlePress}
              onPointerMove={(event) => handleMove(event, tab)}
              onPointerUp={handleEnd}
              onPointerCancel={handleEnd}
            >
              {i18n._(label)}
            </Tabs.Tab>
          );
        })}
      </Tabs.List>
      <VisuallyHidden role="status">{message}</VisuallyHidden>
    </div>
  );
}

/** Returns -1 or 1 if the pointer has passed the middle of the previous or next tab, else 0. */
function stepTo(tab: HTMLElement, clientX: number): number {
  const middle = (element: Element | null) => {
    const box = element?.getBoundingClientRect();
    return box && box.left + box.width / 2;
  };
  if (clientX < (middle(tab.previousElementSibling) ?? Number.NEGATIVE_INFINITY)) return -1;
  return clientX > (middle(tab.nextElementSibling) ?? Number.POSITIVE_INFINITY) ? 1 : 0;
}
