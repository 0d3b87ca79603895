import { expect, it } from "vitest";
import { withChanges, withListed } from "../../../web/queries/presence";

type Page = Parameters<typeof withListed>[0];
const image = (id: number, annotating: string[]) => ({ id, annotating }) as Page["images"][number];
const page = { images: [image(1, ["ann"]), image(2, ["bob", "carl"]), image(3, [])] };
const names = ({ images }: Page) => images.map(({ annotating }) => annotating);

it("shows who came and went in one batch, also those who were away in between", () => {
  const changes = [
    { image_id: 1, joined: ["dora"], left: ["ann"] },
    { image_id: 2, joined: ["bob"], left: ["bob"] },
    { image_id: 99, joined: ["ann"], left: [] },
  ];
  expect(names(withChanges(page, changes))).toEqual([["dora"], ["carl", "bob"], []]);
});

it("shows no more than what the server lists once it is asked again", () => {
  const listed = { images: [{ image_id: 3, usernames: ["ann"] }] };
  expect(names(withListed(page, listed))).toEqual([[], [], ["ann"]]);
});

it("is the same page where nothing has changed", () => {
  expect(withChanges(page, [{ image_id: 99, joined: ["ann"], left: [] }])).toBe(page);
  expect(withChanges(page, [{ image_id: 1, joined: ["ann"], left: [] }])).toBe(page);
  const listed = { images: page.images.map(({ id, annotating }) => ({ image_id: id, usernames: annotating })) };
  expect(withListed(page, listed)).toBe(page);
});
