import { plural, t } from "@lingui/core/macro";
import { useMutation } from "@tanstack/react-query";
import { useRef } from "react";
import { showSuccess, showWarning } from "../../components/messages/toast";
import type { FoundImage } from "../../sync/review/findImage";
import type { ReviewGroup } from "../../sync/review/groups";
import type { Review } from "../../sync/review/review";

/** Changes, and the image that they are applied to. */
export interface Choice {
  group: ReviewGroup;
  image: FoundImage;
}

/** Returns a command that applies groups to images, one after another, and shows the outcome. */
export function useApply(review: Review) {
  const { mutateAsync, isPending } = useMutation({
    mutationFn: async (choices: readonly Choice[]) => {
      const missing = new Map<string, Set<string>>();
      const gone: string[] = [];
      let applied = 0;
      for (const { group, image } of choices) {
        const outcome = await review.apply(group, image.id);
        if (outcome.kind === "no image") gone.push(image.path);
        if (outcome.kind !== "applied") continue;
        applied += 1;
        if (outcome.missing.length > 0)
          missing.set(image.dataset, new Set([...(missing.get(image.dataset) ?? []), ...outcome.missing]));
      }
      return { missing, gone, applied };
    },
    onSuccess: ({ missing, gone, applied }) => {
      for (const [dataset, names] of missing)
        showWarning(t`Categories are missing`, missingText(dataset, [...names].join(", ")));
      if (gone.length > 0) showWarning(t`Image not found`, goneText(gone.join(", ")));
      if (applied + gone.length === 0)
        showWarning(t`Review`, t`Nothing was applied: these changes were applied or discarded in another tab.`);
      if (missing.size === 0 && applied > 0)
        showSuccess(
          t`Review`,
          plural(applied, { one: "The changes were applied.", other: "The changes of # images were applied." }),
        );
    },
  });
  /** A ref, because a second click may arrive before `isBusy` is rendered. */
  const isUnderWay = useRef(false);
  const apply = async (choices: readonly Choice[]) => {
    if (isUnderWay.current) return;
    isUnderWay.current = true;
    // The mutation itself shows errors.
    await mutateAsync(choices).catch(() => undefined);
    isUnderWay.current = false;
  };
  return { apply, isBusy: isPending };
}

const missingText = (dataset: string, categories: string): string =>
  t`${dataset} has no category ${categories}. Add it to the dataset, then apply the remaining changes.`;

const goneText = (images: string): string => t`${images} was deleted, or you no longer have access to it.`;
