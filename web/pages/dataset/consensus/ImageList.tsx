import { t } from "@lingui/core/macro";
import { Badge, Button, Group, SegmentedControl, Skeleton, Text } from "@mantine/core";
import { useState } from "react";
import { Link } from "react-router-dom";
import type { ConsensusImage, ConsensusOrder } from "../../../../shared/api/datasets/consensus";
import { figureText } from "../../../components/figureText";
import { useSubmitOnce } from "../../../components/forms/useSubmitOnce";
import { Pager } from "../../../components/lists/Pager";
import { ConfirmModal } from "../../../components/messages/ConfirmModal";
import { LoadError } from "../../../components/messages/LoadError";
import { showSuccess } from "../../../components/messages/toast";
import { Thumbnail } from "../../../components/Thumbnail";
import { numberText } from "../../../languages/formats";
import { shownOf } from "../../../queries/queryState";
import { useConsensusImages, useMarkTruth, useTakeBackCopies } from "../../../queries/tabs/consensus";
import classes from "./Consensus.module.css";

/** The images that have copies or whose truth is known. */
export function ImageList({ datasetId }: { datasetId: number }) {
  const [order, setOrder] = useState<ConsensusOrder>("f1");
  const [page, setPage] = useState(1);
  const query = useConsensusImages(datasetId, order, page);
  const [taken, setTaken] = useState<ConsensusImage | null>(null);
  const truth = useMarkTruth(datasetId);
  const shown = shownOf(query);
  if (query.state === "failed") return <LoadError error={query.error} onRetry={() => void query.retry()} />;
  if (!shown) return <Skeleton height={160} />;
  const { images, pages, annotators } = shown.data;
  const names = new Map(annotators.map(({ id, username }) => [id, username]));
  return (
    <>
      <SegmentedControl
        size="xs"
        className={classes.order}
        aria-label={t`Order`}
        value={order}
        onChange={(value) => {
          setOrder(value);
          setPage(1);
        }}
        data={[
          { value: "f1", label: t`Least agreement first` },
          { value: "path", label: t`By name` },
        ]}
      />
      <ul className={classes.images} data-stale={shown.isStale || undefined}>
        {images.map((image) => (
          <li key={image.id} className={classes.image}>
            <Link to={`/consensus/${image.id}`} className={classes.picture} tabIndex={-1} aria-hidden>
              <Thumbnail imageId={image.id} />
            </Link>
            <div className={classes.about}>
              <Group gap={6}>
                <Link className={classes.path} to={`/consensus/${image.id}`} title={image.path}>
                  {image.path}
                </Link>
                {image.is_truth && <Badge size="xs" variant="default">{t`Known truth`}</Badge>}
                {image.merged_at && <Badge size="xs" variant="default">{t`Merged`}</Badge>}
              </Group>
              <Text size="sm">{agreementText(image)}</Text>
              <Text size="xs" c="dimmed">
                {image.copies.map((copy) => copyText(copy, names.get(copy.annotator) ?? "")).join(" · ")}
              </Text>
              <Group gap={6} mt="auto">
                <Button
                  component={Link}
                  to={`/consensus/${image.id}`}
                  size="compact-xs"
                  variant="default"
                  aria-label={compareText(image.path)}
                >
                  {t`Compare`}
                </Button>
                <Button
                  size="compact-xs"
                  variant="default"
                  disabled={shown.isStale || truth.isPending}
                  onClick={() => truth.mutate({ image: image.id, is_truth: !image.is_truth })}
                >
                  {image.is_truth ? t`No known truth` : t`Mark as known truth`}
                </Button>
                {image.copies.length > 0 && (
                  <Button size="compact-xs" variant="default" disabled={shown.isStale} onClick={() => setTaken(image)}>
                    {t`Take back`}
                  </Button>
                )}
              </Group>
            </div>
          </li>
        ))}
      </ul>
      <Pager page={shown.data.page} pages={pages} onChange={setPage} label={t`Pages of images`} />
      <TakeBackQuestion datasetId={datasetId} image={taken} onClose={() => setTaken(null)} />
    </>
  );
}

interface QuestionProps {
  datasetId: number;
  /** Null while the question is closed. */
  image: ConsensusImage | null;
  onClose: () => void;
}

function TakeBackQuestion({ datasetId, image, onClose }: QuestionProps) {
  const path = image?.path ?? "";
  const takeBack = useTakeBackCopies(datasetId);
  const submit = useSubmitOnce(takeBack, image !== null);
  return (
    <ConfirmModal
      opened={image !== null}
      title={t`Take back`}
      confirm={t`Take back`}
      isBusy={takeBack.isPending}
      isSent={takeBack.isPending}
      onClose={onClose}
      onConfirm={() =>
        image && submit(image.id, onClose, () => showSuccess(t`Take back`, t`The copies of “${path}” were taken back.`))
      }
    >
      {t`Take the copies of this image back from all annotators? If they are given again, they return with their annotations.`}
    </ConfirmModal>
  );
}

function agreementText({ f1, overlap }: ConsensusImage): string {
  const [share, mean] = [figureText(f1), figureText(overlap)];
  return f1 === null ? t`Not compared yet` : t`F1 ${share}, overlap ${mean}`;
}

function copyText({ is_finished, num_annotations }: ConsensusImage["copies"][number], username: string): string {
  const count = numberText(num_annotations);
  return is_finished ? t`${username}: done, ${count} annotations` : t`${username}: not done, ${count} annotations`;
}

const compareText = (path: string): string => t`Compare the copies of ${path}`;
