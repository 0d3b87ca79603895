import { plural, t } from "@lingui/core/macro";
import { Skeleton, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { figureText } from "../../../components/figureText";
import { LoadError } from "../../../components/messages/LoadError";
import { numberText } from "../../../languages/formats";
import { useConsensus } from "../../../queries/tabs/consensus";
import { AnnotatorTable } from "./AnnotatorTable";
import { CategoryAgreement } from "./CategoryAgreement";
import classes from "./Consensus.module.css";
import { ImageList } from "./ImageList";
import { PairTable } from "./PairTable";

/** Agreement of the annotators of a dataset's copies, and their scores against the known truth. For maintainers. */
export function ConsensusTab({ datasetId }: { datasetId: number }) {
  const query = useConsensus(datasetId);
  if (query.state === "loading") return <Skeleton m="md" height={160} w="auto" />;
  if (query.state === "failed") return <LoadError error={query.error} onRetry={() => void query.retry()} />;
  const { images, finished, truths, pending, agreement, categories, pairs, annotators } = query.data;
  const numbers = [
    [t`Images given`, numberText(images)],
    [t`All copies done`, numberText(finished)],
    [t`Known truth`, numberText(truths)],
    [t`F1`, figureText(agreement.f1)],
    [t`Overlap`, figureText(agreement.overlap)],
    [t`Panoptic quality`, figureText(agreement.quality)],
  ] as const;
  return (
    <div className={classes.page}>
      <Part title={t`Agreement`}>
        <dl className={classes.numbers}>
          {numbers.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
        <Text size="xs" c="dimmed">
          {t`F1: share of objects that both of two annotators have found, with the same category and an overlap of at least 50 %. Overlap: mean intersection over union of these. Only copies that are marked as done count.`}
        </Text>
        {pending > 0 && (
          <Text size="xs" role="status">
            {plural(pending, { one: "# comparison is being computed…", other: "# comparisons are being computed…" })}
          </Text>
        )}
      </Part>
      <Part title={t`Categories`}>
        <CategoryAgreement categories={categories} />
      </Part>
      <Part title={t`Annotators`} isWide>
        <AnnotatorTable annotators={annotators} />
      </Part>
      {pairs.length > 0 && (
        <Part title={t`Pairs of annotators`}>
          <PairTable pairs={pairs} annotators={annotators} />
        </Part>
      )}
      <Part title={t`Images`} isWide>
        <ImageList datasetId={datasetId} />
      </Part>
    </div>
  );
}

function Part({ title, isWide, children }: { title: string; isWide?: boolean; children: ReactNode }) {
  return (
    <section className={classes.part} aria-label={title} data-wide={isWide || undefined}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}
