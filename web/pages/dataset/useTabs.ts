import { useState } from "react";
import { recall, remember } from "../../io/storage/localStore";
import { isTab, moveTab, orderOf, type TabName } from "./tabOrder";

const TAB = "dataset.tab";
const ORDER = "dataset.tabOrder";
const isList = (value: unknown): value is unknown[] => Array.isArray(value);

/** Returns the chosen tab and the order of the tabs, which this browser remembers. Hidden tabs are left out. */
export function useTabs(hidden: readonly TabName[] = []) {
  const [chosenTab, setTab] = useState<TabName>(() => recall(TAB, isTab) ?? "images");
  const [wholeOrder, setOrder] = useState(() => orderOf(recall(ORDER, isList)));
  const order = wholeOrder.filter((each) => !hidden.includes(each));
  const tab = hidden.includes(chosenTab) ? "images" : chosenTab;
  const choose = (chosen: unknown) => {
    if (!isTab(chosen)) return;
    setTab(chosen);
    remember(TAB, chosen);
  };
  /** Returns the tab's new index, from 0. */
  const move = (which: TabName, by: number): number => {
    const next = moveTab(order, which, by);
    const whole = orderOf([...next, ...wholeOrder]);
    setOrder(whole);
    remember(ORDER, whole);
    return next.indexOf(which);
  };
  return { tab, order, choose, move };
}
