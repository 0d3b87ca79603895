import { plural, t } from "@lingui/core/macro";
import { Button, Select } from "@mantine/core";
import { useState } from "react";
import type { listFindings } from "../../../../shared/api/datasets/quality";
import type { OutputOf } from "../../../../shared/api/protocol/call";
import type { FindingKind } from "../../../../shared/quality/finding";
import { ConfirmModal } from "../../../components/messages/ConfirmModal";
import { numberText } from "../../../languages/formats";
import type { WhichFindings } from "../../../queries/tabs/quality";

interface Props {
  kind: FindingKind;
  /** Categories that findings suggest, with their numbers. */
  suggested: OutputOf<typeof listFindings>["suggested"];
  /** The suggested category of the findings that are shown; undefined for all. */
  likely: number | undefined;
  onLikely: (category: number | undefined) => void;
  /** Ids of the selected findings. */
  selected: readonly number[];
  /** Number and digest of the findings that are shown on all pages; undefined while nothing may be changed. */
  seen: { total: number; digest: number } | undefined;
  onChange: (which: WhichFindings) => void;
}

/**
 * Changes the categories of annotations to the suggested ones: of the selected findings, else of all that are shown.
 */
export function ChangeCategories({ kind, suggested, likely, onLikely, selected, seen, onChange }: Props) {
  const [asked, setAsked] = useState<WhichFindings & { count: number }>();
  const count = selected.length > 0 ? selected.length : (seen?.total ?? 0);
  const handleAsk = () => {
    if (selected.length > 0) setAsked({ kind, ids: [...selected], count });
    else if (seen) setAsked({ kind, ...seen, likely, count });
  };
  const handleConfirm = () => {
    if (asked) {
      const { count: _, ...which } = asked;
      onChange(which);
    }
    setAsked(undefined);
  };
  const askedCount = asked?.count ?? 0;
  return (
    <>
      <Select
        size="xs"
        w={220}
        aria-label={t`Suggested category`}
        placeholder={t`All suggested categories`}
        clearable
        data={suggested.map(({ id, name, found }) => ({ value: String(id), label: `${name} (${numberText(found)})` }))}
        value={likely === undefined ? null : String(likely)}
        onChange={(value) => onLikely(value === null ? undefined : Number(value))}
      />
      <Button size="xs" disabled={!seen?.total} onClick={handleAsk}>
        {plural(count, {
          one: "Change # annotation to the suggested category",
          other: "Change # annotations to the suggested categories",
        })}
      </Button>
      <ConfirmModal
        opened={asked !== undefined}
        title={t`Change categories`}
        confirm={t`Change`}
        onConfirm={handleConfirm}
        onClose={() => setAsked(undefined)}
      >
        {plural(askedCount, {
          one: "# annotation gets the category that its finding suggests. You can undo this under Fixes for 30 days.",
          other:
            "# annotations get the categories that their findings suggest. You can undo this under Fixes for 30 days.",
        })}
      </ConfirmModal>
    </>
  );
}
