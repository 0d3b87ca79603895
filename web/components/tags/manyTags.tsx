import { t } from "@lingui/core/macro";
import { type ComboboxRenderPillInput, Pill } from "@mantine/core";
import { foldText } from "../../../shared/text/fold";
import { numberText } from "../../languages/formats";

/** Maximum number of options in a field's list, and of tags in a field: rendering thousands would block the page. */
export const SHOWN_AT_MOST = 200;

interface Tag {
  value: string;
  label: string;
}

/** Number of tags from which a field says how many it has, because its list may have to be scrolled. */
const COUNTED_FROM = 30;

/**
 * Returns props of a field with many tags: their number, and from SHOWN_AT_MOST on only the first ones that contain the
 * typed text, with a note about the rest. No props for a few tags.
 */
export function manyTags(tags: readonly Tag[], typed: string) {
  if (tags.length < COUNTED_FROM) return {};
  const total = numberText(tags.length);
  if (tags.length <= SHOWN_AT_MOST) return { description: t`${total} in the list, which can be scrolled.` };
  const wanted = foldText(typed.trim());
  const found = tags.filter(({ label }) => foldText(label).includes(wanted)).slice(0, SHOWN_AT_MOST);
  const shown = new Set(found.map(({ value }) => value));
  const count = numberText(shown.size);
  return {
    description: t`${count} of ${total} are shown. Type to find the others.`,
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
