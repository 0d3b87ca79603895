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
        showWarning(
          "Categories are missing",
          `${dataset} has no category ${[...names].join(", ")}. Add it to the dataset, then apply the remaining changes.`,
        );
      if (gone.length > 0)
        showWarning("Image not found", `${gone.join(", ")} was deleted, or you no longer have access to it.`);
      if (applied + gone.length === 0)
        showWarning("Review", "Nothing was applied: these changes were applied or discarded in another tab.");
      if (missing.size === 0 && applied > 0)
        showSuccess(
          "Review",
          applied === 1 ? "The changes were applied." : `The changes of ${applied} images were applied.`,
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
