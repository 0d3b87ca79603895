import { t } from "@lingui/core/macro";
import { createCategory } from "../../../shared/api/category";
import { showFailure, showWarning } from "../../components/messages/toast";
import { hasJournal, type Owner } from "../../io/journal/journalName";
import { serverText } from "../../languages/serverText";
import type { Sync } from "../../sync/push/sync";
import type { Review } from "../../sync/review/review";

/**
 * Opens the user's journal, so that pending edits of earlier pages are sent and a logout can warn about unsent ones.
 * Returns the changes that need a review. Without a journal in this browser, does not load the heavy database library.
 */
export async function startSync(owner: Owner): Promise<Review | undefined> {
  if (!(await hasJournal(owner))) return undefined;
  const { syncOf, reviewOf } = await import("../../sync/currentSync");
  reportCategories(syncOf(owner));
  return reviewOf(owner);
}

const reported = new WeakSet<Sync>();

/** Shows a message when the server renames or refuses a category that was created offline. */
function reportCategories(sync: Sync): void {
  if (reported.has(sync)) return;
  reported.add(sync);
  sync.onCategory({
    onCreated: ({ name }, { input }) => {
      const wanted = input.name.trim();
      if (name !== wanted)
        showWarning(
          serverText(createCategory.title),
          t`You already have a category “${wanted}”. The new one is now “${name}”.`,
          `renamed ${name}`,
        );
    },
    onRefused: ({ input }, reason) =>
      showFailure(serverText(createCategory.title), refusedText(input.name.trim(), reason.replace(/\.$/, ""))),
  });
}

const refusedText = (name: string, reason: string): string =>
  t`“${name}” was refused: ${reason}. Its annotations wait as conflicts for your decision.`;
