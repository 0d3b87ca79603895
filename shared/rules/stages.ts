import type { Stage } from "../entities/image";

/** An image's stage, and who returned the image, and when (ISO 8601); null if it was not returned. */
export interface StageState {
  stage: Stage;
  returned_by: string | null;
  returned_at: string | null;
}

/** A wanted stage. `done` says that the annotator has finished, or works on; the dataset decides what it means. */
export interface WantedStage {
  stage?: Stage | undefined;
  done?: boolean | undefined;
}

export const isDone = (stage: Stage): boolean => stage === "to_review" || stage === "accepted";

/** Returns the stage of an image that was stored before images had stages. */
export const stageOf = ({ stage, done }: { stage?: Stage | undefined; done: boolean }): Stage =>
  stage ?? (done ? "accepted" : "open");

/**
 * Returns the stage that an image gets. A submission is accepted at once where the dataset asks for no review, and an
 * image that is taken back after it was returned counts as returned again.
 */
export function stageAfter(
  { stage, done }: WantedStage,
  image: Pick<StageState, "stage" | "returned_by">,
  isReviewed: boolean,
): Stage {
  if (stage === "to_review" && !isReviewed) return "accepted";
  if (stage !== undefined) return stage;
  if (done === undefined || done === isDone(image.stage)) return image.stage;
  if (done) return isReviewed ? "to_review" : "accepted";
  return stageTakenBack(image);
}

/** Returns the stage of an image whose submission is taken back. */
export const stageTakenBack = ({ returned_by }: Pick<StageState, "returned_by">): Stage =>
  returned_by === null ? "open" : "returned";

/**
 * Returns an image after an edit that wants a stage, as a copy has it before the server has answered. Edits without a
 * stage come from datasets that ask for no review.
 */
export function withWantedStage<I extends { done: boolean; stage?: Stage; returned_by?: string | null }>(
  image: I,
  wanted: WantedStage,
): I {
  const before = { stage: stageOf(image), returned_by: image.returned_by ?? null };
  const stage = wanted.stage ?? stageAfter(wanted, before, false);
  return { ...image, stage, done: isDone(stage) };
}

interface Rights {
  /** True if the dataset asks for review. */
  isReviewed: boolean;
  mayReview: boolean;
}

/** Reason why a user may not move an image to a stage. */
export const ONLY_REVIEWERS = "Only reviewers may accept and return images, or reopen accepted ones.";

/**
 * Returns true if a user may move an image to another stage. Only reviewers accept, return, and reopen accepted images;
 * every annotator may submit, and take back a submission.
 */
export function mayMoveTo(
  to: Stage,
  { stage: from, returned_by }: Pick<StageState, "stage" | "returned_by">,
  { isReviewed, mayReview }: Rights,
): boolean {
  if (mayReview || from === to) return true;
  const wasReturned = returned_by !== null;
  if (to === "returned") return from === "to_review" && wasReturned;
  if (!isReviewed) return true;
  if (to === "to_review") return from !== "accepted";
  return to === "open" && from === "to_review" && !wasReturned;
}

/** Returns an image's stage after a user has moved it to `to`. `at`: ISO 8601. */
export function movedTo(
  to: Stage,
  image: StageState,
  { user, at, mayReview }: { user: string; at: string; mayReview: boolean },
): StageState {
  if (to === "returned") {
    const isTakenBack = !mayReview && image.returned_by !== null;
    return isTakenBack ? { ...image, stage: to } : { stage: to, returned_by: user, returned_at: at };
  }
  if (to === "to_review") return { ...image, stage: to };
  return { stage: to, returned_by: null, returned_at: null };
}
