import { ActionIcon, Group, UnstyledButton } from "@mantine/core";
import { ChevronFirst, ChevronLast, ChevronLeft, ChevronRight } from "lucide-react";
import classes from "./Pager.module.css";
import { pagerWindow } from "./pagerWindow";

/** Page numbers in a window of 11, with arrows to the neighbours and the ends. Pages are 1-based; one page needs none. */
export function Pager({ page, pages, onChange }: { page: number; pages: number; onChange: (page: number) => void }) {
  if (pages < 2) return null;
  const arrows = {
    first: { icon: ChevronFirst, label: "First page", to: 1, isOff: page <= 1 },
    previous: { icon: ChevronLeft, label: "Previous page", to: page - 1, isOff: page <= 1 },
    next: { icon: ChevronRight, label: "Next page", to: page + 1, isOff: page >= pages },
    last: { icon: ChevronLast, label: "Last page", to: pages, isOff: page >= pages },
  };
  const arrow = (name: keyof typeof arrows) => {
    const { icon: Icon, label, to, isOff } = arrows[name];
    return (
      <ActionIcon variant="subtle" color="gray" aria-label={label} disabled={isOff} onClick={() => onChange(to)}>
        <Icon size={16} />
      </ActionIcon>
    );
  };
  return (
    <Group component="nav" aria-label="Pages" gap={4} justify="center" wrap="wrap">
      {arrow("first")}
      {arrow("previous")}
      {pagerWindow(page, pages).map((number) => (
        <UnstyledButton
          key={number}
          className={classes.page}
          aria-label={`Page ${number}`}
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
