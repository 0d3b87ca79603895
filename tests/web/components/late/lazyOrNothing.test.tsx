// @vitest-environment jsdom
import { createRoot } from "react-dom/client";
import { afterEach, expect, it, vi } from "vitest";
import { lazyOrNothing } from "../../../../web/components/late/lazyOrNothing";
import { confirmAway, noteResponse } from "../../../../web/io/http/reachability";
import { eventually } from "../../../support/eventually";

const container = document.body.appendChild(document.createElement("div"));
const root = createRoot(container);
afterEach(() => root.unmount());

const Part = ({ name }: { name: string }) => <p>{name}</p>;
const shown = () => [...container.querySelectorAll("p")].map(({ textContent }) => textContent);

it("shows nothing while the part cannot be loaded, and the part once the server returns", async () => {
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("no network")));
  expect(await confirmAway()).toBe(true);
  const load = vi.fn<() => Promise<typeof Part>>().mockRejectedValueOnce(new TypeError("no network"));
  load.mockResolvedValue(Part);
  const Late = lazyOrNothing(load);
  root.render(
    <>
      <Late name="one" />
      <Late name="two" />
    </>,
  );
  await eventually(() => expect(load).toHaveBeenCalledTimes(1));
  expect(shown()).toEqual([]);
  noteResponse();
  await eventually(() => expect(shown()).toEqual(["one", "two"]));
  expect(load).toHaveBeenCalledTimes(2);
});

it("shows its stand-in until the part is loaded", async () => {
  let finish: (part: typeof Part) => void = () => {};
  const loading = new Promise<typeof Part>((resolve) => {
    finish = resolve;
  });
  const Late = lazyOrNothing(
    () => loading,
    ({ name }) => <p>{name} soon</p>,
  );
  createRoot(container.appendChild(document.createElement("div"))).render(<Late name="three" />);
  await eventually(() => expect(shown()).toEqual(["three soon"]));
  finish(Part);
  await eventually(() => expect(shown()).toEqual(["three"]));
});
