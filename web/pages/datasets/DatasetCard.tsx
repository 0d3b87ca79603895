import { t } from "@lingui/core/macro";
import { Group, Progress, Text } from "@mantine/core";
import { Link } from "react-router-dom";
import type { DatasetFigures } from "../../../shared/api/datasets/datasetFigures";
import type { Category } from "../../../shared/entities/category";
import type { DatasetCard as Dataset } from "../../../shared/entities/dataset";
import { CategoryBadge } from "../../components/CategoryBadge";
import { lazyOrNothing } from "../../components/late/lazyOrNothing";
import { loadLate } from "../../components/late/loadLate";
import { StageCounts } from "../../components/stages/StageCounts";
import classes from "../common/cards.module.css";
import type { CardDialog } from "./CardDialogs";
import { CardFooter } from "./CardFooter";
import { CardThumbnails } from "./CardThumbnails";
import { CategoryBar } from "./CategoryBar";
import { DatasetMenu } from "./DatasetMenu";

const CopyMark = lazyOrNothing(() => loadLate(async () => (await import("../offline/CopyMark")).CopyMark));

/** Maximum number of category badges on a card; the others are only counted. */
const MAX_BADGES = 8;

interface Props {
  dataset: Dataset;
  /** Undefined until loaded. */
  figures: DatasetFigures | undefined;
  categories: ReadonlyMap<number, Category>;
  /** True while this dataset is from the previous page, and commands on it are disabled. */
  isStale: boolean;
  onOpen: (dialog: CardDialog) => void;
}

/** Card of a dataset: its first images, annotation progress and categories. */
export function DatasetCard({ dataset, figures, categories, isStale, onOpen }: Props) {
  const { id, name, numberImages, numberAnnotated, owner } = dataset;
  const own = dataset.categories.flatMap((categoryId) => categories.get(categoryId) ?? []);
  const more = own.length - MAX_BADGES;
  const progress = t`${numberAnnotated} of ${numberImages} images annotated`;
  return (
    <article className={classes.card} aria-label={name}>
      <Link to={`/dataset/${id}`} className={classes.thumbnail} tabIndex={-1} aria-hidden>
        <CardThumbnails total={numberImages} first={dataset.first_image_id} imageIds={figures?.thumbnails} />
      </Link>
      <div className={classes.body}>
        <Group gap={4} wrap="nowrap">
          <Link to={`/dataset/${id}`} className={classes.name} title={name}>
            {name}
          </Link>
          <CopyMark datasetId={id} />
          <DatasetMenu
            dataset={dataset}
            isStale={isStale}
            onOpen={(dialog) => onOpen({ name: dialog, dataset, categories: own })}
          />
        </Group>
        {numberImages > 0 ? (
          <div>
            <Text size="xs" c="dimmed" mb={4}>
              {progress}
            </Text>
            <Progress value={(100 * numberAnnotated) / numberImages} size="sm" aria-label={progress} />
          </div>
        ) : (
          <Text size="xs" c="dimmed">
            {t`No images in dataset.`}
          </Text>
        )}
        <StageCounts datasetId={id} counts={dataset.stages} />
        {own.length > 0 && <CategoryBar figures={figures} categories={categories} />}
        {own.length > 0 && (
          <div className={classes.badges}>
            {own.slice(0, MAX_BADGES).map((category) => (
              <CategoryBadge key={category.id} name={category.name} color={category.color} />
            ))}
            {more > 0 && (
              <Text size="xs" c="dimmed" title={own.map((category) => category.name).join(", ")}>
                {t`and ${more} more`}
              </Text>
            )}
          </div>
        )}
        <CardFooter owner={owner} edited_at={dataset.edited_at} edited_by={dataset.edited_by} />
      </div>
    </article>
  );
}
