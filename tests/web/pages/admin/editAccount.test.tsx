// @vitest-environment jsdom
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { EditAccount } from "../../../../web/pages/admin/EditAccount";
import { eventually } from "../../../support/eventually";
import { makePage, typeInto } from "../../../support/renderedPage";

const CREATED = "2026-01-01T00:00:00Z";
const account = {
  id: 2,
  username: "bob",
  email: "",
  is_admin: false,
  created_at: CREATED,
  last_seen: null,
  datasets: 0,
};
let page: ReturnType<typeof makePage>;
let sent: unknown[];
const handleClose = vi.fn();

beforeEach(() => {
  sent = [];
  handleClose.mockClear();
  page = makePage((call, body) => {
    if (call !== "PATCH /api/admin/user/bob") return undefined;
    sent.push(body);
    return { ...account, name: "Bob" };
  });
});
afterEach(() => page.close());

const show = (name: string) =>
  page.show(<EditAccount account={{ ...account, name }} isSelf={false} onClose={handleClose} />);

it("asks for a name in place of sending an empty one, which the server ignores", async () => {
  show("Bob");
  const field = await page.field("Full Name");
  for (const empty of ["", "  "]) {
    typeInto(field, empty);
    await page.press("Save");
    await eventually(() => {
      expect(sent).toEqual([]);
      expect(handleClose).not.toHaveBeenCalled();
      expect(page.dialog()?.textContent).toContain("Required");
    });
  }
  typeInto(field, "Bob B.");
  await page.press("Save");
  await eventually(() => expect(handleClose).toHaveBeenCalled());
  expect(sent).toEqual([{ id: 2, name: "Bob B." }]);
});

it("changes an account that has no name, and asks for none", async () => {
  show("");
  (await page.field("Admin")).click();
  await page.press("Save");
  await eventually(() => expect(handleClose).toHaveBeenCalled());
  expect(sent).toEqual([{ id: 2, isAdmin: true }]);
});
