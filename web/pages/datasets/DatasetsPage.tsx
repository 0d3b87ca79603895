import { t } from "@lingui/core/macro";
import { ActionIcon, Button, Group, Tooltip } from "@mantine/core";
import { CircleHelp, FileUp, FolderPlus, Images, Plus, Sparkles } from "lucide-react";
import { lazy, Suspense, useMemo, useState } from "react";
import { EmptyState } from "../../components/lists/EmptyState";
import { ListHead } from "../../components/lists/ListHead";
import { NothingFound } from "../../components/lists/NothingFound";
import { Pager } from "../../components/lists/Pager";
import { SearchField } from "../../components/lists/SearchField";
import { useLastPageAtMost, usePageInQuery } from "../../components/lists/usePageInQuery";
import { useOffersSearch, useSearchInQuery } from "../../components/lists/useSearchInQuery";
import { LoadError } from "../../components/messages/LoadError";
import { NeedsServer } from "../../components/offline/NeedsServer";
import { useDatasetFigures, useDatasets } from "../../queries/datasets";
import { shownOf } from "../../queries/queryState";
import { CardSkeletons } from "../common/CardSkeletons";
import classes from "../common/cards.module.css";
import { PageTitle } from "../common/PageTitle";
import { type CardDialog, CardDialogs } from "./CardDialogs";
import { DatasetCard } from "./DatasetCard";
import { DatasetOrderField, useDatasetOrder } from "./DatasetOrderField";
import type { PageDialog } from "./PageDialogs";

const PageDialogs = lazy(async () => ({ default: (await import("./PageDialogs")).PageDialogs }));

/** All datasets that the user may see, as cards. */
export function DatasetsPage() {
  const [page, setPage] = usePageInQuery();
  const [search, setSearch] = useSearchInQuery();
  const [order, setOrder] = useDatasetOrder();
  const list = useDatasets(page, search, order);
  const shown = shownOf(list);
  const offersSearch = useOffersSearch(search, shown?.data.pagination.total);
  const datasets = shown?.data.datasets;
  useLastPageAtMost(list.state === "loaded" ? list.data.pagination.pages : undefined);
  const [dialog, setDialog] = useState<PageDialog | null>(null);
  const [isUsed, setUsed] = useState(false);
  if (dialog && !isUsed) setUsed(true);
  const [cardDialog, setCardDialog] = useState<CardDialog | null>(null);
  const ids = useMemo(() => datasets?.map(({ id }) => id) ?? [], [datasets]);
  const figures = shownOf(useDatasetFigures(ids))?.data;
  // The button in the empty list is then the main one.
  const isEmpty = list.state === "loaded" && list.data.datasets.length === 0 && search === "";
  const categories = new Map(shown?.data.categories.map((category) => [category.id, category]));
  return (
    <div className={classes.page}>
      <PageTitle>{t`Datasets`}</PageTitle>
      <ListHead
        title={t`Datasets`}
        list={list}
        after={
          <Tooltip label={t`Help`}>
            <ActionIcon
              variant="default"
              size={30}
              aria-label={t`Help with datasets`}
              onClick={() => setDialog("help")}
            >
              <CircleHelp size={16} />
            </ActionIcon>
          </Tooltip>
        }
      >
        {offersSearch && <SearchField label={t`Search datasets`} value={search} onChange={setSearch} />}
        {shown && shown.data.pagination.total > 1 && <DatasetOrderField value={order} onChange={setOrder} />}
        <NeedsServer>
          <Button
            variant={isEmpty ? "default" : "filled"}
            leftSection={<Plus size={15} />}
            onClick={() => setDialog("create")}
          >
            {t`Create`}
          </Button>
        </NeedsServer>
        <NeedsServer>
          <Button variant="default" leftSection={<FileUp size={14} />} onClick={() => setDialog("import")}>
            {t`Import`}
          </Button>
        </NeedsServer>
      </ListHead>
      {list.state === "loading" && !datasets?.length && <CardSkeletons />}
      {list.state === "failed" && <LoadError error={list.error} onRetry={() => void list.retry()} />}
      {list.state === "loaded" && list.data.datasets.length === 0 && search !== "" && (
        <NothingFound search={search} onClear={() => setSearch("")} />
      )}
      {isEmpty && (
        <EmptyState icon={Images} title={t`You need to create a dataset!`}>
          {t`A dataset is a collection of images that you label together. Create one, open it, and drop your images onto it. Or look around first, with images that Limn draws for you and a tour of two minutes.`}
          <Group gap="xs" justify="center">
            <NeedsServer>
              <Button leftSection={<FolderPlus size={15} />} onClick={() => setDialog("create")}>
                {t`Create a dataset`}
              </Button>
            </NeedsServer>
            <NeedsServer>
              <Button variant="default" leftSection={<Sparkles size={15} />} onClick={() => setDialog("demo")}>
                {t`Try the demo`}
              </Button>
            </NeedsServer>
          </Group>
        </EmptyState>
      )}
      {datasets && datasets.length > 0 && (
        <div className={classes.grid} aria-busy={list.isFetching} data-stale={shown.isStale || undefined}>
          {datasets.map((dataset) => (
            <DatasetCard
              key={dataset.id}
              dataset={dataset}
              figures={figures?.get(dataset.id)}
              categories={categories}
              isStale={shown.isStale}
              onOpen={setCardDialog}
            />
          ))}
        </div>
      )}
      <div className={classes.pager}>
        {shown && <Pager page={page} pages={shown.data.pagination.pages} onChange={setPage} />}
      </div>
      <CardDialogs wanted={cardDialog} onClose={() => setCardDialog(null)} />
      {isUsed && (
        <Suspense>
          <PageDialogs open={dialog} onClose={() => setDialog(null)} onDemo={() => setDialog("demo")} />
        </Suspense>
      )}
    </div>
  );
}
