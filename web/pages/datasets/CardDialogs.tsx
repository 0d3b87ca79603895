import { lazy, Suspense } from "react";
import type { Category } from "../../../shared/entities/category";
import type { DatasetCard } from "../../../shared/entities/dataset";
import { useLast } from "../../components/messages/useLast";
import type { DialogName } from "./dialogs/DatasetDialogs";

const DatasetDialogs = lazy(async () => ({ default: (await import("./dialogs/DatasetDialogs")).DatasetDialogs }));
/** In a chunk of its own, because it is also used while the server is away. */
const OfflineDialog = lazy(async () => ({ default: (await import("../offline/OfflineDialog")).OfflineDialog }));

/** A dialog of a card's menu, with the dataset and its default categories as the card showed them. */
export interface CardDialog {
  name: DialogName | "offline";
  dataset: DatasetCard;
  categories: readonly Category[];
}

interface Props {
  /** The open dialog; null while there is none. */
  wanted: CardDialog | null;
  onClose: () => void;
}

/**
 * The dialogs of the cards' menus. They belong to the page: while the user types, a refreshed list may no longer have
 * the card.
 */
export function CardDialogs({ wanted, onClose }: Props) {
  const isOffline = wanted?.name === "offline";
  // The dialogs stay mounted once used, because commands may still be running when the dialogs are closed.
  const shown = useLast(isOffline ? null : wanted);
  return (
    <>
      {isOffline && (
        <Suspense>
          <OfflineDialog datasetId={wanted.dataset.id} name={wanted.dataset.name} onClose={onClose} />
        </Suspense>
      )}
      {shown && (
        <Suspense>
          <DatasetDialogs
            key={shown.dataset.id}
            dataset={shown.dataset}
            categories={shown.categories}
            open={wanted && wanted.name !== "offline" ? wanted.name : null}
            onClose={onClose}
          />
        </Suspense>
      )}
    </>
  );
}
