import type { KeyboardEvent } from "react";

/** Selector of the link that takes the focus for a card. */
const LINK = "[data-card-link]";

/**
 * Moves the focus between the cards of a grid with the arrow keys, Home and End. Space ticks the focused card, and with
 * Shift all cards from the last ticked one to it. P shows or hides its preview, which ends when the focus moves on.
 * Ignores keys in fields and menus.
 */
export function handleCardKey(
  event: KeyboardEvent<HTMLElement>,
  onSelect: (imageId: number, isRange: boolean) => void,
  preview: { toggle: (card: Element) => void; close: () => void },
) {
  const link = event.target instanceof Element ? event.target.closest<HTMLElement>(LINK) : null;
  if (!link || event.altKey || event.ctrlKey || event.metaKey) return;
  if (event.key === " ") {
    event.preventDefault();
    onSelect(Number(link.dataset.cardLink), event.shiftKey);
    return;
  }
  const card = link.closest("article");
  if (event.key.toLowerCase() === "p" && card) return preview.toggle(card);
  const links = Array.from(event.currentTarget.querySelectorAll<HTMLElement>(LINK));
  const next = links[nextIndex(links, links.indexOf(link), event.key)];
  if (!next) return;
  event.preventDefault();
  preview.close();
  next.focus();
}

/** Returns the index to which a key moves the focus, within the list; -1 for other keys. */
function nextIndex(links: readonly HTMLElement[], at: number, key: string): number {
  if (key === "Home") return 0;
  if (key === "End") return links.length - 1;
  if (key === "ArrowLeft" || key === "ArrowRight") return clamp(at + (key === "ArrowLeft" ? -1 : 1), links.length);
  if (key !== "ArrowUp" && key !== "ArrowDown") return -1;
  const columns = columnsOf(links.map((link) => link.getBoundingClientRect().top));
  const to = at + (key === "ArrowUp" ? -columns : columns);
  if (to < 0) return at;
  // A shorter last row: down leads to its last card.
  return to < links.length
    ? to
    : Math.floor(at / columns) < Math.floor((links.length - 1) / columns)
      ? links.length - 1
      : at;
}

const clamp = (index: number, length: number): number => Math.max(0, Math.min(length - 1, index));

/** Returns the number of cards in a row, from the positions of their tops. */
export function columnsOf(tops: readonly number[]): number {
  const second = tops.findIndex((top) => Math.abs(top - (tops[0] ?? 0)) > 1);
  return second < 0 ? Math.max(1, tops.length) : second;
}
