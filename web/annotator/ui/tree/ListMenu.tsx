import { t } from "@lingui/core/macro";
import { ActionIcon, Menu, Tooltip } from "@mantine/core";
import { ArrowDownUp, Check } from "lucide-react";
import { useMemo } from "react";
import { COMMON_FLAGS } from "../../../../shared/entities/attribute";
import { useDocument, useEditor, useSearch, useSettings } from "../../editor/context";
import { byAttribute, LIST_ORDERS, type ListOrder } from "../../state/listOrder";

const orderNames = () =>
  ({
    oldest: t`Oldest First`,
    newest: t`Newest First`,
    largest: t`Largest First`,
    smallest: t`Smallest First`,
    author: t`By Author`,
  }) as const;

/** Maximum number of authors, and of attributes, in the menu. */
const SHOWN = 12;

/** Menu with the order of the annotations in the list, and filters, which it writes into the search field. */
export function ListMenu() {
  const { search, settings } = useEditor();
  const { listOrder } = useSettings();
  const text = useSearch((state) => state.text);
  const annotations = useDocument((state) => state.annotations);
  const categories = useDocument((state) => state.categories);
  const authors = useMemo(() => distinct([...annotations.values()].map(({ creator }) => creator ?? "")), [annotations]);
  const attributes = distinct(categories.flatMap((each) => (each.attributes ?? []).map(({ name }) => name)));
  const isUsual = listOrder === "oldest";
  const orderItem = (order: ListOrder, name: string) => (
    <Menu.Item
      key={order}
      role="menuitemradio"
      aria-checked={order === listOrder}
      rightSection={order === listOrder && <Check size={14} aria-hidden />}
      onClick={() => settings.change({ listOrder: order })}
    >
      {name}
    </Menu.Item>
  );
  const filterItem = (condition: string, name: string) => {
    const isOn = text.split(" ").includes(condition);
    const others = text.split(" ").filter((part) => part !== condition && part !== "");
    return (
      <Menu.Item
        key={condition}
        role="menuitemcheckbox"
        aria-checked={isOn}
        rightSection={isOn && <Check size={14} aria-hidden />}
        onClick={() => search.find([...others, ...(isOn ? [] : [condition])].join(" "))}
      >
        {name}
      </Menu.Item>
    );
  };
  return (
    <Menu position="bottom-end" width={220} shadow="md" withinPortal>
      <Menu.Target>
        <Tooltip label={t`Sort and filter the list`} openDelay={300}>
          <ActionIcon
            size="sm"
            variant={isUsual ? "subtle" : "light"}
            color={isUsual ? "gray" : undefined}
            aria-label={t`Sort and filter the list`}
            onMouseDown={(event) => event.preventDefault()}
          >
            <ArrowDownUp size={15} />
          </ActionIcon>
        </Tooltip>
      </Menu.Target>
      <Menu.Dropdown mah="70vh" style={{ overflowY: "auto" }}>
        <Menu.Label>{t`Sort`}</Menu.Label>
        {LIST_ORDERS.map((order) => orderItem(order, orderNames()[order]))}
        {attributes.slice(0, SHOWN).map((name) => orderItem(byAttribute(name), t`By ${name}`))}
        <Menu.Label>{t`Filter`}</Menu.Label>
        {attributes.length > 0 && filterItem("is:missing", t`Required Value Missing`)}
        {COMMON_FLAGS.map((flag) => filterItem(`is:${flag}`, flag === "occluded" ? t`Occluded` : t`Truncated`))}
        {filterItem("is:grouped", t`In a Group`)}
        {authors.length > 1 &&
          authors.slice(0, SHOWN).map((name) => filterItem(`author:${quoted(name)}`, t`By ${name}`))}
      </Menu.Dropdown>
    </Menu>
  );
}

const distinct = (names: readonly string[]): string[] => [...new Set(names)].filter((name) => name !== "").sort();

const quoted = (name: string): string => (/\s/.test(name) ? `"${name}"` : name);
