import { expect, it } from "vitest";
import { presenceOf, usersAt, withChanges } from "../../../web/queries/presence";

const image = (id: number, annotating: string[]) => ({ id, annotating });
const presence = presenceOf({
  images: [
    { image_id: 1, usernames: ["ann"] },
    { image_id: 2, usernames: ["bob", "carl"] },
  ],
});

it("presence follows users who entered and left in one batch, including users who were away in between", () => {
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

it("live presence overrides a list of images, whose response may be older than the change", () => {
  const gone = withChanges(presence, [{ image_id: 1, joined: [], left: ["ann"] }]);
  const received = { presence: gone, lostAt: undefined };
  expect(usersAt(received, image(1, ["ann"]), 10)).toEqual([]);
  expect(usersAt(received, image(2, []), 10)).toEqual(["bob", "carl"]);
});

it("live presence overrides a list requested before the live connection was lost, but no later list", () => {
  const received = { presence, lostAt: 10 };
  expect(usersAt(received, image(1, ["dora"]), 9)).toEqual(["ann"]);
  expect(usersAt(received, image(1, ["dora"]), 11)).toEqual(["dora"]);
});

it("presence is taken from the list of images until the first live event", () => {
  expect(usersAt(undefined, image(1, ["ann"]), 10)).toEqual(["ann"]);
});
