// @vitest-environment jsdom
import { MantineProvider } from "@mantine/core";
import { createRoot, type Root } from "react-dom/client";
import { MemoryRouter } from "react-router-dom";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { journalName, noteJournal } from "../../../../web/io/journal/journalName";
import type { Copies } from "../../../../web/offline/copies";
import { type PendingEdits, usePendingEdits } from "../../../../web/pages/offline/usePendingEdits";
import { useRemoveCopy } from "../../../../web/pages/offline/useRemoveCopy";
import { CurrentSession, ownerOf } from "../../../../web/queries/session";
import { syncOf } from "../../../../web/sync/currentSync";
import { Journal } from "../../../../web/sync/journal/journal";
import { eventually } from "../../../support/eventually";

const user = { id: 1, username: "ada", name: "", is_admin: false, anonymous: false, last_seen: null, preferences: {} };
let root: Root;
beforeEach(() => {
  root = createRoot(document.body.appendChild(document.createElement("div")));
  vi.stubGlobal("matchMedia", () => ({ matches: false, addEventListener() {}, removeEventListener() {} }));
  vi.stubGlobal(
    "ResizeObserver",
    class {
      observe() {}
      unobserve() {}
      disconnect() {}
    },
  );
});
afterEach(() => {
  root.unmount();
  vi.restoreAllMocks();
});

/** Shows a button that removes a copy. Returns functions that press it and read the user's edits, and the copies' method. */
async function showButton() {
  const removed = vi.fn(async () => undefined);
  let press: (() => void) | undefined;
  let edits: PendingEdits | undefined;
  function Row() {
    const { remove, question } = useRemoveCopy({ remove: removed } as unknown as Copies);
    edits = usePendingEdits();
    press = () => remove({ datasetId: 7, name: "Street" });
    return question;
  }
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
  return { press: () => press?.(), removed, readEdits: () => edits };
}

it("asks before a copy is removed while it is unknown how many edits are pending", async () => {
  // Finding the journal takes some time.
  let find: ((names: IDBDatabaseInfo[]) => void) | undefined;
  const found = new Promise<IDBDatabaseInfo[]>((resolve) => {
    find = resolve;
  });
  vi.spyOn(indexedDB, "databases").mockReturnValue(found);
  const { press, removed } = await showButton();
  press();
  await eventually(() => expect(document.body.textContent).toContain("The copy of Street is removed"));
  expect(removed).not.toHaveBeenCalled();

  find?.([]);
  await eventually(() => {
    press();
    expect(removed).toHaveBeenCalledWith(7);
  });
});

it("asks before a copy is removed while the journal cannot be read", async () => {
  const owner = ownerOf({ user, installation: "one" });
  noteJournal(journalName(owner));
  vi.spyOn(Journal.prototype, "countQueued").mockRejectedValue(new Error("The disk fails."));
  const sync = syncOf(owner);
  await eventually(() => expect(sync.state.getState().isRead).toBe(true));
  const { press, removed, readEdits } = await showButton();
  await eventually(() => expect(readEdits()).toEqual({ pending: undefined, conflicts: 0 }));
  press();
  await eventually(() => expect(document.body.textContent).toContain("The copy of Street is removed"));
  expect(removed).not.toHaveBeenCalled();
});
