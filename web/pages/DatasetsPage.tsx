import { ActionIcon, Button, Tooltip } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { CircleHelp, FileUp, FolderPlus, Images, Plus } from "lucide-react";
import { lazy, Suspense } from "react";
import { EmptyState } from "../components/EmptyState";
import { ListHead } from "../components/ListHead";
import { LoadError } from "../components/LoadError";
import { Pager } from "../components/Pager";
import { useLastPageAtMost, usePageInQuery } from "../components/usePageInQuery";
import { useDatasets } from "../queries/datasets";
import { CardSkeletons } from "./datasets/CardSkeletons";
import { CreateDataset } from "./datasets/CreateDataset";
import classes from "./datasets/cards.module.css";
import { DatasetCard } from "./datasets/DatasetCard";
import { DatasetsHelp } from "./datasets/DatasetsHelp";
import { PageTitle } from "./shell/PageTitle";

const ImportDataset = lazy(async () => ({ default: (await import("./datasets/ImportDataset")).ImportDataset }));

/** All datasets one may see, as cards. */
export function DatasetsPage() {
  const [page, setPage] = usePageInQuery();
  const list = useDatasets(page);
  const { data, error, isPending, isFetching, isPlaceholderData, refetch } = list;
  useLastPageAtMost(isPlaceholderData ? undefined : data?.pagination.pages);
  const [isCreating, creating] = useDisclosure(false);
  const [isImporting, importing] = useDisclosure(false);
  const [isHelping, helping] = useDisclosure(false);
  const categories = new Map(data?.categories.map((category) => [category.id, category]));
  return (
    <div className={classes.page}>
      <PageTitle>Datasets</PageTitle>
      <ListHead
        title="Datasets"
        list={list}
        after={
          <Tooltip label="Help">
            <ActionIcon variant="default" size={30} aria-label="Help with datasets" onClick={helping.open}>
              <CircleHelp size={16} />
            </ActionIcon>
          </Tooltip>
        }
      >
        <Button leftSection={<Plus size={15} />} onClick={creating.open}>
          Create
        </Button>
        <Button variant="default" leftSection={<FileUp size={14} />} onClick={importing.open}>
          Import
        </Button>
      </ListHead>
      {isPending && <CardSkeletons />}
      {error && !data && <LoadError error={error} onRetry={() => void refetch()} />}
      {data?.datasets.length === 0 && (
        <EmptyState icon={Images} title="You need to create a dataset!">
          A dataset is a collection of pictures that you label together. Create one, open it, and drop your pictures on
          it.
          <Button leftSection={<FolderPlus size={15} />} onClick={creating.open}>
            Create a dataset
          </Button>
        </EmptyState>
      )}
      {data && data.datasets.length > 0 && (
        <div className={classes.grid} aria-busy={isFetching}>
          {data.datasets.map((dataset) => (
            <DatasetCard key={dataset.id} dataset={dataset} categories={categories} />
          ))}
        </div>
      )}
      <div className={classes.pager}>
        <Pager page={page} pages={data?.pagination.pages ?? 0} onChange={setPage} />
      </div>
      <CreateDataset opened={isCreating} onClose={creating.close} />
      {isImporting && (
        <Suspense>
          <ImportDataset onClose={importing.close} />
        </Suspense>
      )}
      <DatasetsHelp opened={isHelping} onClose={helping.close} />
    </div>
  );
}
