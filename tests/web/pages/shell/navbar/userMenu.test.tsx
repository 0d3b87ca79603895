// @vitest-environment jsdom
import { afterAll, afterEach, beforeEach, expect, it, vi } from "vitest";
import { beforeLogout, finishBeforeLogout } from "../../../../../web/io/logout";
import { UserMenu } from "../../../../../web/pages/shell/navbar/UserMenu";
import { CurrentSession } from "../../../../../web/queries/session";
import { eventually } from "../../../../support/eventually";
import { makePage } from "../../../../support/renderedPage";

// Files of a worker share their modules: this one needs them with its mocks, and leaves none of these to others.
vi.hoisted(() => vi.resetModules());
afterAll(() => vi.resetModules());
// On a busy machine, opening the menu twice may take longer than a logout waits for work.
vi.mock("../../../../../shared/async/timeLimit", () => ({
  endsWithin: (_ms: number, work: Promise<unknown>) => work.then(() => true),
  withinTime: (_ms: number, work: Promise<unknown>) => work,
}));

const userOf = (id: number, username: string) => ({
  ...{ id, username, name: "", is_admin: false, anonymous: false },
  ...{ last_seen: null, preferences: {} },
});
let page: ReturnType<typeof makePage>;
/** Each ends the work that a logout waits for. */
let finish: (() => void)[];
let logouts: number;
/** What a logout would lose. */
let warning: string | null;
let forget: (() => void)[];

beforeEach(() => {
  finish = [];
  logouts = 0;
  warning = null;
  forget = [
    finishBeforeLogout(() => new Promise<void>((resolve) => finish.push(resolve))),
    beforeLogout({ username: "ada", warning: async () => warning, wipe: async () => undefined }),
  ];
  page = makePage((call) => {
    if (call !== "GET /api/user/logout") return undefined;
    logouts += 1;
    return { success: true };
  });
});
afterEach(() => {
  for (const each of forget) each();
  page.close();
});

const show = (id: number, username: string) =>
  page.show(
    <CurrentSession value={{ user: userOf(id, username), installation: "one", isRemembered: false }}>
      <UserMenu />
    </CurrentSession>,
  );
const logOut = async (username: string) => {
  await page.press(`Account of ${username}`);
  await page.press("Logout");
};
const waiting = (count: number) => eventually(() => expect(finish).toHaveLength(count));

it("a second press while the first one waits begins no second logout", async () => {
  show(1, "ada");
  await logOut("ada");
  await waiting(1);
  await logOut("ada");
  finish[0]?.();
  await eventually(() => expect(logouts).toBe(1));
  expect(finish).toHaveLength(1);
});

it("a logout can be pressed again after its question was closed", async () => {
  warning = "An edit would be lost.";
  show(1, "ada");
  await logOut("ada");
  await waiting(1);
  finish[0]?.();
  await page.press("Cancel");
  await eventually(() => expect(page.dialog()).toBeUndefined());
  await logOut("ada");
  await waiting(2);
});

it("the question of one user is not asked of another who has logged in meanwhile", async () => {
  warning = "An edit would be lost.";
  show(1, "ada");
  await logOut("ada");
  await waiting(1);
  finish[0]?.();
  await eventually(() => expect(page.dialog()?.textContent).toContain("An edit"));
  show(2, "bob");
  await eventually(() => expect(page.dialog()).toBeUndefined());
});
