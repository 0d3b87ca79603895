import { t } from "@lingui/core/macro";
import { Plural, Trans } from "@lingui/react/macro";
import type { getCategories } from "../../../shared/api/category";
import type { OutputOf } from "../../../shared/api/protocol/call";
import { useSubmitOnce } from "../../components/forms/useSubmitOnce";
import { ConfirmModal } from "../../components/messages/ConfirmModal";
import { showSuccess } from "../../components/messages/toast";
import { useLast } from "../../components/messages/useLast";
import { useDeleteCategory } from "../../queries/categories";
import { EditCategory } from "./EditCategory";

export type ListedCategory = OutputOf<typeof getCategories>["categories"][number];

/** A dialog of a row's menu, with the category as the row showed it. */
export interface RowDialog {
  name: "edit" | "delete";
  category: ListedCategory;
}

interface Props {
  /** The open dialog; null while there is none. */
  wanted: RowDialog | null;
  onClose: () => void;
}

/**
 * The dialogs of the rows' menus. They belong to the page: while the user types, a refreshed list may no longer have
 * the row.
 */
export function CategoryDialogs({ wanted, onClose }: Props) {
  const shown = useLast(wanted);
  if (!shown) return null;
  const { category } = shown;
  return <Dialogs key={category.id} category={category} open={wanted?.name ?? null} onClose={onClose} />;
}

interface DialogsProps {
  category: ListedCategory;
  open: RowDialog["name"] | null;
  onClose: () => void;
}

function Dialogs({ category, open, onClose }: DialogsProps) {
  const { name, numberAnnotations: count } = category;
  const remove = useDeleteCategory();
  const submitDelete = useSubmitOnce(remove, open === "delete");
  return (
    <>
      <EditCategory category={category} count={count} opened={open === "edit"} onClose={onClose} />
      <ConfirmModal
        opened={open === "delete"}
        title={t`Delete category`}
        confirm={t`Delete`}
        isBusy={remove.isPending}
        isSent={remove.isPending}
        onConfirm={() =>
          submitDelete(category.id, onClose, () =>
            showSuccess(t`Delete category`, t`The category “${name}” was moved to the trash.`),
          )
        }
        onClose={onClose}
      >
        {count === 0 ? (
          <Trans>
            Delete the category <b>{name}</b>? It will be moved to the trash and can be restored from there.
          </Trans>
        ) : (
          <Trans>
            Delete the category <b>{name}</b>, which{" "}
            <Plural value={count} one="# annotation uses" other="# annotations use" />? It will be moved to the trash
            and can be restored from there.
          </Trans>
        )}
      </ConfirmModal>
    </>
  );
}
