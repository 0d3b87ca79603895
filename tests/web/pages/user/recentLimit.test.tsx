// @vitest-environment jsdom
import { MantineProvider } from "@mantine/core";
import { act } from "react";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Copies } from "../../../../web/offline/copies";
import { RecentLimit } from "../../../../web/pages/user/OfflineSettings";

const MB = 1_000_000;
const container = document.createElement("div");
const setRecentLimit = vi.fn(async () => undefined);
let root: Root;

beforeEach(async () => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
  vi.stubGlobal("matchMedia", () => ({ matches: false, addEventListener() {}, removeEventListener() {} }));
  setRecentLimit.mockClear();
  document.body.append(container);
  root = createRoot(container);
  const copies = { setRecentLimit } as unknown as Copies;
  await act(async () =>
    root.render(
      <MantineProvider>
        <RecentLimit copies={copies} recent={{ bytes: 0, limit: 1_500 * MB }} />
      </MantineProvider>,
    ),
  );
});
afterEach(() => act(async () => root.unmount()));

const field = () => container.querySelector("input") ?? expect.unreachable();
async function type(text: string) {
  await act(async () => field().focus());
  const { set } = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value") ?? expect.unreachable();
  await act(async () => {
    set?.call(field(), text);
    field().dispatchEvent(new Event("input", { bubbles: true }));
  });
}
const leave = () => act(async () => field().blur());

it("an emptied field returns to the stored limit, and stores nothing", async () => {
  await type("");
  expect(field().value).toBe("");
  await leave();
  expect(setRecentLimit).not.toHaveBeenCalled();
  expect(field().value).toBe("1,500 MB");
});

it("a typed 0 keeps no images", async () => {
  await type("0");
  await leave();
  expect(setRecentLimit).toHaveBeenCalledWith(0);
});

it("a typed limit is stored", async () => {
  await type("700");
  await leave();
  expect(setRecentLimit).toHaveBeenCalledWith(700 * MB);
});
