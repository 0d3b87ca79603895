// @vitest-environment jsdom
import { act } from "react";
import { createRoot } from "react-dom/client";
import { expect, it, vi } from "vitest";
import { Thumbnail } from "../../../web/components/Thumbnail";

it("a thumbnail whose response was lost is requested again, twice at most", async () => {
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  vi.useFakeTimers();
  const container = document.body.appendChild(document.createElement("div"));
  const root = createRoot(container);
  await act(async () => root.render(<Thumbnail imageId={3} />));
  const image = () => container.querySelector("img");
  const lose = () => act(async () => image()?.dispatchEvent(new Event("error")));
  for (let retry = 0; retry < 2; retry++) {
    await lose();
    expect(image()).toBeNull();
    await act(() => vi.advanceTimersByTimeAsync(5_000));
    expect(image()?.getAttribute("src")).toContain("/3");
  }
  await lose();
  await act(() => vi.advanceTimersByTimeAsync(60_000));
  expect(image()).toBeNull();
  await act(async () => root.unmount());
  vi.useRealTimers();
});
