// @vitest-environment jsdom
import { notifications, notificationsStore } from "@mantine/notifications";
import { QueryClientProvider } from "@tanstack/react-query";
import { afterAll, afterEach, beforeEach, expect, it, vi } from "vitest";
import { createStore } from "zustand/vanilla";
import { showError } from "../../../../web/components/messages/toast";
import { ReviewPage } from "../../../../web/pages/review/ReviewPage";
import { makeQueryClient } from "../../../../web/queries/client";
import { eventually } from "../../../support/eventually";
import { makePage } from "../../../support/renderedPage";

const { discard, review } = vi.hoisted(() => {
  vi.resetModules();
  const discard = vi.fn<() => Promise<void>>();
  return { discard, review: { discard } as { discard: typeof discard; state?: unknown } };
});
vi.mock("../../../../web/pages/review/startSync", () => ({ startSync: async () => review }));
afterAll(() => vi.resetModules());

const group = {
  ...{ key: "old 7", journal: "old", imageId: 7, rows: [], counts: { annotations: 1, deleted: 0, others: 0 } },
  place: { dataset: "Town", path: "a.png", width: 4, height: 3, categories: {} },
};
let page: ReturnType<typeof makePage>;

beforeEach(() => {
  notifications.clean();
  review.state = createStore(() => ({ groups: [group], changes: 1, isUnreadable: false }));
  discard.mockReset().mockRejectedValueOnce(new Error("The disk is full.")).mockResolvedValue();
  page = makePage(() => undefined);
  page.show(
    <QueryClientProvider client={makeQueryClient(showError)}>
      <ReviewPage />
    </QueryClientProvider>,
  );
});
afterEach(() => page.close());

const messages = () => notificationsStore.getState().notifications.map(({ message }) => message);
const confirm = () => page.press("Discard", "[role=dialog] button");

it("says that changes could not be discarded, and keeps the question until they are", async () => {
  await page.press("Discard all");
  await confirm();
  await eventually(() => expect(messages()).toEqual(["The disk is full."]));
  expect(page.dialog()).toBeDefined();
  await confirm();
  await eventually(() => expect(page.dialog()).toBeUndefined());
  expect(discard.mock.calls).toEqual([[[group]], [[group]]]);
});

it("says that the changes of one image could not be discarded", async () => {
  await page.press("Discard");
  await confirm();
  await eventually(() => expect(messages()).toEqual(["The disk is full."]));
  expect(discard.mock.calls).toEqual([[[group]]]);
});
