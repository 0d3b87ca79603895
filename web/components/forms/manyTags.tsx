import { type ComboboxRenderPillInput, Pill } from "@mantine/core";

/** Most options in a field's list, and most tags in a field: thousands would block the page. */
export const SHOWN_AT_MOST = 200;

interface Tag {
  value: string;
  label: string;
}

/**
 * Props for a field with very many tags: it shows the first ones that contain the typed text, and says so.
 * Nothing where all tags have room.
 */
export function manyTags(tags: readonly Tag[], typed: string) {
  if (tags.length <= SHOWN_AT_MOST) return {};
  const wanted = typed.trim().toLowerCase();
  const found = tags.filter(({ label }) => label.toLowerCase().includes(wanted)).slice(0, SHOWN_AT_MOST);
  const shown = new Set(found.map(({ value }) => value));
  return {
    description: `${shown.size} of ${tags.length} are shown: type to see the others.`,
    renderPill: (pill: ComboboxRenderPillInput) => shown.has(String(pill.value)) && <TagPill {...pill} />,
  };
}

function TagPill({ option, value, onRemove, disabled }: ComboboxRenderPillInput) {
  return (
    <Pill withRemoveButton={!disabled} onRemove={onRemove ?? (() => undefined)}>
      {option?.label ?? value}
    </Pill>
  );
}
