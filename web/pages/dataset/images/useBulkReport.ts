import { msg, plural, t } from "@lingui/core/macro";
import type { ImagesChanged } from "../../../../shared/api/datasets/bulk";
import { showFailure, showSuccess, showWarning, showWithAction } from "../../../components/messages/toast";
import { i18n } from "../../../languages/i18n";
import { serverText } from "../../../languages/serverText";
import { useRestoreImages, useTakeBackImages } from "../../../queries/bulk";

/** Maximum number of failures listed in a toast. */
const MOST_NAMED = 5;

/** Title of each bulk command, and the message about the images that it changed. */
const TEXTS = {
  delete: [
    msg`Deleting Images`,
    (count: number) => plural(count, { one: "# image was deleted.", other: "# images were deleted." }),
  ],
  restore: [
    msg`Restoring Images`,
    (count: number) => plural(count, { one: "# image was restored.", other: "# images were restored." }),
  ],
  move: [
    msg`Moving Images`,
    (count: number) => plural(count, { one: "# image was moved.", other: "# images were moved." }),
  ],
  label: [
    msg`Labelling Images`,
    (count: number) => plural(count, { one: "# image was labelled.", other: "# images were labelled." }),
  ],
  mark: [
    msg`Marking Images`,
    (count: number) => plural(count, { one: "# image was marked.", other: "# images were marked." }),
  ],
  assign: [
    msg`Assigning Images`,
    (count: number) => plural(count, { one: "# image was assigned.", other: "# images were assigned." }),
  ],
  takeBack: [
    msg`Undoing`,
    (count: number) => plural(count, { one: "# image was put back.", other: "# images were put back." }),
  ],
} as const;
export type BulkWhat = keyof typeof TEXTS;

export const isBulkWhat = (what: unknown): what is BulkWhat => typeof what === "string" && Object.hasOwn(TEXTS, what);

/** Returns a function that shows the outcome of a bulk command in a toast, with a button to undo it. */
export function useBulkReport(datasetId: number) {
  const restore = useRestoreImages(datasetId);
  const takeBack = useTakeBackImages(datasetId);
  const report = (what: BulkWhat, result: Omit<ImagesChanged, "failures"> & Partial<ImagesChanged>): void => {
    const { changed, failed, failures = [], task, undo } = result;
    const [name, text] = TEXTS[what];
    const title = i18n._(name);
    if (task) {
      showSuccess(title, t`This continues as a task. See Tasks.`);
      return;
    }
    const message = text(changed);
    // `mutateAsync`, because callbacks of `mutate` do not run once the component has unmounted. The mutation itself
    // shows errors.
    const handleUndo = (of: string) =>
      (what === "delete" ? restore : takeBack).mutateAsync(of).then(
        (back) => report(what === "delete" ? "restore" : "takeBack", back),
        () => undefined,
      );
    if (changed > 0 && undo) showWithAction(title, message, { label: t`Undo`, onClick: () => void handleUndo(undo) });
    else if (changed + failed === 0) showWarning(title, t`There was nothing to do.`);
    else if (changed > 0) showSuccess(title, message);
    if (failed > 0) showFailure(title, failureText(failed, failures));
  };
  return report;
}

export function failureText(failed: number, failures: ImagesChanged["failures"]): string {
  const named = failures
    .slice(0, MOST_NAMED)
    .map(({ id, message }) => t`Image ${id}: ${{ message: reasonText(message) }}`);
  const more = failed - named.length;
  const rest = more > 0 ? [named.length > 0 ? t`… and ${more} more` : t`See Tasks.`] : [];
  return [
    plural(failed, { one: "# image was not changed.", other: "# images were not changed." }),
    ...named,
    ...rest,
  ].join("\n");
}

/** Returns a reason in the language of the page; it may begin with the path of the image. */
function reasonText(message: string): string {
  const translated = serverText(message);
  const end = message.lastIndexOf(": ") + 2;
  return translated === message ? message.slice(0, end) + serverText(message.slice(end)) : translated;
}
