import { t } from "@lingui/core/macro";
import type { AnnotatorFigures, PairFigures } from "../../../../shared/api/datasets/consensus";
import { figureText } from "../../../components/figureText";
import { numberText } from "../../../languages/formats";
import { FigureTable } from "./FigureTable";

interface Props {
  pairs: readonly PairFigures[];
  annotators: readonly AnnotatorFigures[];
}

/** Agreement of each two annotators. */
export function PairTable({ pairs, annotators }: Props) {
  const names = new Map(annotators.map(({ id, username }) => [id, username]));
  return (
    <FigureTable
      columns={[t`Annotators`, t`Images`, t`F1`, t`Overlap`, t`Kappa of categories`]}
      rows={pairs.map(({ a, b, images, agreement, kappa }) => ({
        key: `${a} ${b}`,
        cells: [
          <span key="names">
            <bdi>{names.get(a)}</bdi>, <bdi>{names.get(b)}</bdi>
          </span>,
          numberText(images),
          figureText(agreement.f1),
          figureText(agreement.overlap),
          kappa === null ? "–" : numberText(kappa, { maximumFractionDigits: 2 }),
        ],
      }))}
    />
  );
}
