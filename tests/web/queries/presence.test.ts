import { expect, it } from "vitest";
import { presenceOf, usersAt, withChanges } from "../../../web/queries/presence";

const image = (id: number, annotating: string[]) => ({ id, annotating });
const presence = presenceOf({
  images: [
    { image_id: 1, usernames: ["ann"] },
    { image_id: 2, usernames: ["bob", "carl"] },
  ],
});

it("follows who came and went in one batch, also those who were away in between", () => {
  const changes = [
    { image_id: 1, joined: [], left: ["ann"] },
    { image_id: 2, joined: ["bob"], left: ["bob"] },
    { image_id: 3, joined: ["dora"], left: [] },
  ];
  expect([...withChanges(presence, changes)]).toEqual([
    [2, ["carl", "bob"]],
    [3, ["dora"]],
  ]);
});

it("outweighs a list of images, which may have been answered before the change", () => {
  const gone = withChanges(presence, [{ image_id: 1, joined: [], left: ["ann"] }]);
  expect(usersAt(gone, image(1, ["ann"]))).toEqual([]);
  expect(usersAt(gone, image(2, []))).toEqual(["bob", "carl"]);
});

it("is taken from the list of images while the live connection is silent", () => {
  expect(usersAt(undefined, image(1, ["ann"]))).toEqual(["ann"]);
});
