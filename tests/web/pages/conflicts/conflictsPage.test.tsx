// @vitest-environment jsdom
import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { createRoot } from "react-dom/client";
import { MemoryRouter } from "react-router-dom";
import { afterEach, expect, it, vi } from "vitest";
import { ConflictsPage } from "../../../../web/pages/conflicts/ConflictsPage";
import { CurrentSession, ownerOf } from "../../../../web/queries/session";
import { syncOf } from "../../../../web/sync/currentSync";
import { Journal } from "../../../../web/sync/journal/journal";
import { eventually } from "../../../support/eventually";

const user = { id: 1, username: "ada", name: "", is_admin: false, anonymous: false, last_seen: null, preferences: {} };
const root = createRoot(document.body.appendChild(document.createElement("div")));
afterEach(() => {
  root.unmount();
  vi.restoreAllMocks();
});

it("does not say that all changes have been stored while the journal cannot be read", async () => {
  vi.stubGlobal("matchMedia", () => ({ matches: false, addEventListener() {}, removeEventListener() {} }));
  const session = { user, installation: "conflicts", isRemembered: false };
  const reading = vi.spyOn(Journal.prototype, "conflicts").mockRejectedValue(new Error("The disk fails."));
  root.render(
    <MantineProvider env="test">
      <QueryClientProvider client={new QueryClient()}>
        <MemoryRouter>
          <CurrentSession value={session}>
            <ConflictsPage />
          </CurrentSession>
        </MemoryRouter>
      </QueryClientProvider>
    </MantineProvider>,
  );
  await eventually(() => expect(document.body.textContent).toContain("This browser's storage does not respond."));
  for (const claim of ["have been stored", "No conflicts"]) expect(document.body.textContent).not.toContain(claim);

  reading.mockRestore();
  await syncOf(ownerOf(session)).flush();
  await eventually(() =>
    expect(document.body.textContent).toContain("All changes made in this browser have been stored."),
  );
  expect(document.body.textContent).not.toContain("does not respond");
});
