import { t } from "@lingui/core/macro";
import { Text } from "@mantine/core";
import type { getConsensus } from "../../../../shared/api/datasets/consensus";
import type { OutputOf } from "../../../../shared/api/protocol/call";
import { figureText } from "../../../components/figureText";
import { numberText } from "../../../languages/formats";
import classes from "./Consensus.module.css";
import { FigureTable } from "./FigureTable";

/** Agreement by category. */
export function CategoryAgreement({ categories }: Pick<OutputOf<typeof getConsensus>, "categories">) {
  if (categories.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {t`There are figures when two annotators have marked copies of the same image as done.`}
      </Text>
    );
  return (
    <FigureTable
      columns={[t`Category`, t`Both`, t`Only one`, t`F1`, t`Overlap`, t`Panoptic quality`]}
      rows={categories.map(({ category_id, name, color, agreement }) => ({
        key: category_id,
        cells: [
          <span key="name" className={classes.name}>
            <span className={classes.swatch} style={{ background: color }} />
            <bdi>{name}</bdi>
          </span>,
          numberText(agreement.matched),
          numberText(agreement.single),
          figureText(agreement.f1),
          figureText(agreement.overlap),
          figureText(agreement.quality),
        ],
      }))}
    />
  );
}
