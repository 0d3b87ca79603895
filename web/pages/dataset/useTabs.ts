import { useState } from "react";
import { recall, remember } from "../../io/storage/localStore";
import { isTab, moveTab, orderOf, type TabName } from "./tabOrder";

const TAB = "dataset.tab";
const ORDER = "dataset.tabOrder";
const isList = (value: unknown): value is unknown[] => Array.isArray(value);

/** Returns the chosen tab and the order of the tabs, which this browser remembers. */
export function useTabs() {
  const [tab, setTab] = useState<TabName>(() => recall(TAB, isTab) ?? "images");
  const [order, setOrder] = useState(() => orderOf(recall(ORDER, isList)));
  const choose = (chosen: unknown) => {
    if (!isTab(chosen)) return;
    setTab(chosen);
    remember(TAB, chosen);
  };
  /** Returns the tab's new index, from 0. */
  const move = (which: TabName, by: number): number => {
    const next = moveTab(order, which, by);
    setOrder(next);
    remember(ORDER, next);
    return next.indexOf(which);
  };
  return { tab, order, choose, move };
}
