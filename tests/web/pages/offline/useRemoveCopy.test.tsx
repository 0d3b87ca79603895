// @vitest-environment jsdom
import "fake-indexeddb/auto";
import { MantineProvider } from "@mantine/core";
import { createRoot } from "react-dom/client";
import { MemoryRouter } from "react-router-dom";
import { afterEach, expect, it, vi } from "vitest";
import type { Copies } from "../../../../web/offline/copies";
import { useRemoveCopy } from "../../../../web/pages/offline/useRemoveCopy";
import { CurrentSession } from "../../../../web/queries/session";
import { eventually } from "../../../support/eventually";

const user = { id: 1, username: "ada", name: "", is_admin: false, anonymous: false, last_seen: null, preferences: {} };
const root = createRoot(document.body.appendChild(document.createElement("div")));
afterEach(() => root.unmount());

it("asks before a copy is removed while it is unknown how many edits are pending", async () => {
  vi.stubGlobal("matchMedia", () => ({ matches: false, addEventListener() {}, removeEventListener() {} }));
  vi.stubGlobal(
    "ResizeObserver",
    class {
      observe() {}
      unobserve() {}
      disconnect() {}
    },
  );
  const removed = vi.fn(async () => undefined);
  let press: (() => void) | undefined;
  function Row() {
    const { remove, question } = useRemoveCopy({ remove: removed } as unknown as Copies);
    press = () => remove({ datasetId: 7, name: "Street" });
    return question;
  }
  // Finding the journal takes some time.
  let find: ((names: IDBDatabaseInfo[]) => void) | undefined;
  const found = new Promise<IDBDatabaseInfo[]>((resolve) => {
    find = resolve;
  });
  vi.spyOn(indexedDB, "databases").mockReturnValue(found);
  root.render(
    <MantineProvider>
      <MemoryRouter>
        <CurrentSession value={{ user, installation: "one", isRemembered: false }}>
          <Row />
        </CurrentSession>
      </MemoryRouter>
    </MantineProvider>,
  );
  await eventually(() => press ?? expect.unreachable());
  press?.();
  await eventually(() => expect(document.body.textContent).toContain("The copy of Street is removed"));
  expect(removed).not.toHaveBeenCalled();

  find?.([]);
  await eventually(() => {
    press?.();
    expect(removed).toHaveBeenCalledWith(7);
  });
});
