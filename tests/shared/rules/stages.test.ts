import { describe, expect, it } from "vitest";
import { STAGES, type Stage } from "../../../shared/entities/image";
import { mayMoveTo, movedTo, stageAfter, stageOf, withWantedStage } from "../../../shared/rules/stages";

const at = "2026-01-01T00:00:00.000Z";
const image = (stage: Stage, returned_by: string | null = null) => ({ stage, returned_by, returned_at: null });

describe("the stage that an edit asks for", () => {
  it("is decided by the dataset if the edit says only done or not done", () => {
    expect(stageAfter({ done: true }, image("open"), false)).toBe("accepted");
    expect(stageAfter({ done: true }, image("open"), true)).toBe("to_review");
    expect(stageAfter({ done: true }, image("returned", "ann"), true)).toBe("to_review");
    expect(stageAfter({ done: true }, image("accepted"), true)).toBe("accepted");
    expect(stageAfter({ done: false }, image("accepted"), false)).toBe("open");
    expect(stageAfter({ done: false }, image("to_review", "ann"), true)).toBe("returned");
    expect(stageAfter({ done: false }, image("returned", "ann"), true)).toBe("returned");
    expect(stageAfter({}, image("returned"), true)).toBe("returned");
  });

  it("is accepted for a submission where no review is asked for", () => {
    expect(stageAfter({ stage: "to_review" }, image("open"), false)).toBe("accepted");
    expect(stageAfter({ stage: "to_review" }, image("open"), true)).toBe("to_review");
  });
});

describe("moving an image to another stage", () => {
  const moves = (isReviewed: boolean, returned_by: string | null = null) =>
    STAGES.flatMap((from) =>
      STAGES.filter(
        (to) => to !== from && mayMoveTo(to, image(from, returned_by), { isReviewed, mayReview: false }),
      ).map((to) => `${from} > ${to}`),
    );

  it("lets annotators submit, and take back a submission, and nothing else", () => {
    expect(moves(true)).toEqual(["open > to_review", "to_review > open", "returned > to_review"]);
    expect(moves(true, "ann")).toEqual(["open > to_review", "to_review > returned", "returned > to_review"]);
  });

  it("lets everyone mark images as done where no review is asked for", () => {
    expect(moves(false)).toContain("open > accepted");
    expect(moves(false)).toContain("accepted > open");
    expect(moves(false).filter((move) => move.endsWith("returned"))).toEqual([]);
  });

  it("lets reviewers do everything", () => {
    for (const from of STAGES)
      for (const to of STAGES) expect(mayMoveTo(to, image(from), { isReviewed: true, mayReview: true })).toBe(true);
  });

  it("remembers who returned it until it is accepted", () => {
    const by = { user: "ann", at, mayReview: true };
    const returned = movedTo("returned", image("to_review"), by);
    expect(returned).toEqual({ stage: "returned", returned_by: "ann", returned_at: at });
    const again = movedTo("to_review", returned, { ...by, user: "bob", mayReview: false });
    expect(again).toEqual({ ...returned, stage: "to_review" });
    expect(movedTo("returned", again, { user: "bob", at: "later", mayReview: false })).toEqual(returned);
    expect(movedTo("accepted", again, by)).toEqual({ stage: "accepted", returned_by: null, returned_at: null });
  });
});

it("images that were stored before images had stages have the stage of their mark", () => {
  expect([stageOf({ done: true }), stageOf({ done: false })]).toEqual(["accepted", "open"]);
  expect(withWantedStage({ done: false }, { done: true })).toEqual({ done: true, stage: "accepted" });
  expect(withWantedStage({ done: false }, { stage: "to_review" })).toEqual({ done: true, stage: "to_review" });
});
