import { t } from "@lingui/core/macro";
import { Loader, Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";
import type { CategoryStatistics } from "../../../../shared/entities/statistics";
import { LoadError } from "../../../components/messages/LoadError";
import { useStatistics } from "../../../queries/tabs/statistics";
import { Balance } from "./Balance";
import { type Bar, Bars } from "./Bars";
import { CategoryTable } from "./CategoryTable";
import { HeatMap } from "./HeatMap";
import { Numbers } from "./Numbers";
import { numberText } from "./numberText";
import { Sizes } from "./Sizes";
import classes from "./Statistics.module.css";
import { UserTable } from "./UserTable";

interface Props {
  datasetId: number;
  /** Opens the images of a category. */
  onCategory: (id: number) => void;
}

/** Statistics of the dataset's annotations, in numbers and charts. */
export function StatisticsTab({ datasetId, onCategory }: Props) {
  const query = useStatistics(datasetId);
  if (query.state === "loading")
    return (
      <Stack align="center" gap="sm" py={64} role="status">
        <Loader size="sm" />
        <Text size="sm" c="dimmed">
          {t`Crunching numbers...`}
        </Text>
      </Stack>
    );
  if (query.state === "failed") return <LoadError error={query.error} onRetry={() => void query.retry()} />;
  const { total, average, by_category: categories, by_user: users, sizes, positions } = query.data;
  return (
    <div className={classes.page}>
      <Part title={t`Total`}>
        <Numbers numbers={total} />
      </Part>
      <Part title={t`Average`}>
        <Numbers numbers={average} />
      </Part>
      <Part title={t`Annotations Per Category`}>
        <Bars bars={barsOf(categories, "annotations")} readOut={annotationsOf} onChoose={onCategory} />
      </Part>
      <Part title={t`Annotated Images Per Category`}>
        <Bars bars={barsOf(categories, "images")} readOut={imagesOf} onChoose={onCategory} />
      </Part>
      <Part title={t`Class Balance`}>
        <Balance categories={categories} />
        <CategoryTable categories={categories} />
      </Part>
      <Part title={t`Users`}>
        <UserTable users={users} />
      </Part>
      <Part title={t`Object Sizes`}>
        <Sizes sizes={sizes} />
      </Part>
      <Part title={t`Positions`}>
        <HeatMap positions={positions} />
      </Part>
    </div>
  );
}

const barsOf = (categories: readonly CategoryStatistics[], of: "annotations" | "images"): Bar[] =>
  categories.map(({ id, name, color, ...numbers }) => ({ id, name, color, value: numbers[of] }));

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={classes.part} aria-label={title}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}

function annotationsOf(name: string, value: number): string {
  const count = numberText(value);
  return t`${name}: ${count} annotations. Show images`;
}

function imagesOf(name: string, value: number): string {
  const count = numberText(value);
  return t`${name}: ${count} images. Show images`;
}
