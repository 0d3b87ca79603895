import { t } from "@lingui/core/macro";
import { ActionIcon, Group, UnstyledButton } from "@mantine/core";
import { ChevronFirst, ChevronLast, ChevronLeft, ChevronRight } from "lucide-react";
import classes from "./Pager.module.css";
import { pagerWindow } from "./pagerWindow";

interface Props {
  /** 1-based. */
  page: number;
  pages: number;
  onChange: (page: number) => void;
  /** Accessible name; must be unique when a screen has two pagers. */
  label?: string;
}

/** A window of 11 page numbers, with arrows to the adjacent, first and last pages. Hidden for a single page. */
export function Pager({ page, pages, onChange, label = t`Pages` }: Props) {
  if (pages < 2) return null;
  const arrows = {
    first: { icon: ChevronFirst, label: t`First page`, to: 1, isOff: page <= 1 },
    previous: { icon: ChevronLeft, label: t`Previous page`, to: page - 1, isOff: page <= 1 },
    next: { icon: ChevronRight, label: t`Next page`, to: page + 1, isOff: page >= pages },
    last: { icon: ChevronLast, label: t`Last page`, to: pages, isOff: page >= pages },
  };
  const arrow = (which: keyof typeof arrows) => {
    const { icon: Icon, label: name, to, isOff } = arrows[which];
    return (
      <ActionIcon variant="subtle" color="gray" aria-label={name} disabled={isOff} onClick={() => onChange(to)}>
        <Icon size={16} />
      </ActionIcon>
    );
  };
  return (
    <Group component="nav" aria-label={label} gap={4} justify="center" wrap="wrap">
      {arrow("first")}
      {arrow("previous")}
      {pagerWindow(page, pages).map((number) => (
        <UnstyledButton
          key={number}
          className={classes.page}
          aria-label={t`Page ${number}`}
          aria-current={number === page ? "page" : undefined}
          onClick={() => onChange(number)}
        >
          {number}
        </UnstyledButton>
      ))}
      {arrow("next")}
      {arrow("last")}
    </Group>
  );
}
