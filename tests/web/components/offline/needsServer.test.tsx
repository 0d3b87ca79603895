// @vitest-environment jsdom
import { MantineProvider } from "@mantine/core";
import { createRoot } from "react-dom/client";
import { afterEach, expect, it, vi } from "vitest";
import { NeedsServer } from "../../../../web/components/offline/NeedsServer";
import { confirmAway, getAwayMs, noteResponse } from "../../../../web/io/http/reachability";
import { eventually } from "../../../support/eventually";

const container = document.body.appendChild(document.createElement("div"));
const root = createRoot(container);
afterEach(() => {
  root.unmount();
  noteResponse();
});

it("ignores clicks while the server is away, but not those that were aimed before", async () => {
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("no network")));
  vi.stubGlobal("matchMedia", () => ({ matches: false, addEventListener() {}, removeEventListener() {} }));
  const run = vi.fn();
  root.render(
    <MantineProvider>
      <NeedsServer>
        <button type="button" onClick={run}>
          Scan
        </button>
      </NeedsServer>
    </MantineProvider>,
  );
  const button = await eventually(() => container.querySelector("button") ?? expect.unreachable());
  const click = (detail: number) =>
    button.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true, detail }));
  const isDisabled = () => button.getAttribute("aria-disabled") === "true";
  click(1);
  expect(run).toHaveBeenCalledTimes(1);

  const clock = vi.spyOn(performance, "now");
  const left = Math.round(performance.now());
  clock.mockReturnValue(left);
  expect(await confirmAway()).toBe(true);
  clock.mockReturnValue(left + 1_100);
  await eventually(() => expect(isDisabled()).toBe(true));
  click(1);
  expect(run).toHaveBeenCalledTimes(2);
  // The keyboard's focus says that the command is disabled.
  click(0);
  expect(run).toHaveBeenCalledTimes(2);

  clock.mockReturnValue(left + 2_100);
  expect(getAwayMs()).toBe(2_100);
  click(1);
  expect(run).toHaveBeenCalledTimes(2);
  expect(isDisabled()).toBe(true);

  noteResponse();
  await eventually(() => expect(isDisabled()).toBe(false));
  click(1);
  expect(run).toHaveBeenCalledTimes(3);
});
