// @vitest-environment jsdom
import { MantineProvider } from "@mantine/core";
import { act } from "react";
import { createRoot } from "react-dom/client";
import { expect, it, vi } from "vitest";
import { UploadPanel } from "../../../../web/pages/uploads/UploadPanel";
import { UploadQueue } from "../../../../web/pages/uploads/uploadQueue";

it("a double click on Cancel does not clear the list, whose button takes its place", async () => {
  vi.stubGlobal("matchMedia", () => ({ matches: false, addEventListener() {}, removeEventListener() {} }));
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  vi.stubGlobal(
    "ResizeObserver",
    class {
      observe() {}
      unobserve() {}
      disconnect() {}
    },
  );
  const clear = vi.spyOn(UploadQueue.prototype, "clear").mockReturnValue(undefined);
  const container = document.body.appendChild(document.createElement("div"));
  const root = createRoot(container);
  const state = { total: 1, share: 1, isActive: false, isCancelled: true, results: [] } as never;
  const queue = Object.create(UploadQueue.prototype) as UploadQueue;
  await act(async () =>
    root.render(
      <MantineProvider env="test">
        <UploadPanel queue={queue} state={state} />
      </MantineProvider>,
    ),
  );
  const click = (detail: number) =>
    act(async () =>
      container
        .querySelector("button[aria-label=Close]")!
        .dispatchEvent(new MouseEvent("click", { detail, bubbles: true, cancelable: true })),
    );
  await click(2);
  expect(clear).not.toHaveBeenCalled();
  await click(1);
  expect(clear).toHaveBeenCalledOnce();
  await act(async () => root.unmount());
});
