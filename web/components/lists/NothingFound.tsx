import { t } from "@lingui/core/macro";
import { Button } from "@mantine/core";
import { SearchX } from "lucide-react";
import { EmptyState } from "./EmptyState";

/** Placeholder for a list in which a search finds nothing. */
export function NothingFound({ search, onClear }: { search: string; onClear: () => void }) {
  return (
    <EmptyState icon={SearchX} title={t`Nothing found for “${search}”`}>
      <Button variant="default" onClick={onClear}>
        {t`Clear the search`}
      </Button>
    </EmptyState>
  );
}
