// @vitest-environment jsdom
import { Table } from "@mantine/core";
import { afterEach, beforeEach, expect, it } from "vitest";
import { GroupCard } from "../../../../web/pages/review/GroupCard";
import { NewVersion } from "../../../../web/pages/shell/notices/NewVersion";
import { TaskRow } from "../../../../web/pages/tasks/TaskRow";
import { UndoRow } from "../../../../web/pages/undo/UndoRow";
import { UploadPanel } from "../../../../web/pages/uploads/UploadPanel";
import { eventually } from "../../../support/eventually";
import { makePage } from "../../../support/renderedPage";

let page: ReturnType<typeof makePage>;
let done: string[];
const note = (what: string) => () => void done.push(what);

beforeEach(() => {
  done = [];
  page = makePage((call) => {
    if (!call.startsWith("DELETE")) return undefined;
    done.push(call);
    return { success: true };
  });
});
afterEach(() => page.close());

/** Returns the button with this name, as soon as it is there. */
const button = (name: string) =>
  eventually(() => {
    const buttons = [...document.querySelectorAll("button")];
    const found = buttons.find((each) => (each.getAttribute("aria-label") ?? each.textContent) === name);
    return found ?? expect.unreachable(`There is no ${name}.`);
  });
const click = (target: HTMLElement, detail: number) =>
  target.dispatchEvent(new MouseEvent("click", { detail, bubbles: true, cancelable: true }));

const task = {
  id: 5,
  name: "Scanning",
  group: "",
  state: "done",
  progress: 100,
  completed: true,
  warnings: 0,
  errors: 0,
  created_at: "2026-01-01T00:00:00Z",
};
const entry = {
  id: 4,
  instance: "image",
  name: "a.jpg",
  ago: "5 seconds",
  date: "2026-01-01T00:00:00Z",
  permissions: {},
};
const upload = { total: 1, done: 1, added: 0, share: 1, isActive: false, isCancelled: false };
const failure = { path: "a.jpg", message: "Failed", isFailure: true, retry: {} };
const queue = { cancel: note("cancel"), retry: note("retry"), clear: note("clear") };
const uploads = <UploadPanel queue={queue as never} state={{ ...upload, results: [failure] } as never} />;

it.each([
  [
    "Roll back image a.jpg",
    <Table key="">
      <Table.Tbody>
        <UndoRow
          entry={entry as never}
          {...{ isTicked: false, isBusy: false, isStale: false, onTick() {}, onDelete() {} }}
          onRollBack={note("roll back")}
        />
      </Table.Tbody>
    </Table>,
  ],
  ["Try again", uploads],
  ["Close", uploads],
  ["Reload now", <NewVersion key="" isDownloading={false} onReload={note("reload")} onLater={() => undefined} />],
  [
    "Apply here",
    <GroupCard
      key=""
      group={{ counts: { annotations: 1, deleted: 0, others: 0 } } as never}
      found={{ isStale: false, data: { isSame: true, image: { id: 1, path: "a.jpg" } } } as never}
      isBusy={false}
      {...{ onExport() {}, onDiscard() {} }}
      onApply={note("apply")}
    />,
  ],
])("the second click of a double click on what takes that place does not press %s", async (name, shown) => {
  page.show(shown);
  const target = await button(name);
  click(target, 2);
  // As by Enter or Space.
  click(target, 0);
  await eventually(() => expect(done).not.toEqual([]));
  expect(done).toHaveLength(1);
});

it("the second click of a double click on Delete does not delete the next task, which moves there", async () => {
  const rows = [4, 5].map((id) => <TaskRow key={id} task={{ ...task, id } as never} />);
  page.show(rows);
  click(await button("Delete task 5"), 2);
  // Sent later than a deletion by the click before it.
  click(await button("Delete task 4"), 1);
  await eventually(() => expect(done).toContain("DELETE /api/tasks/4"));
  expect(done).toEqual(["DELETE /api/tasks/4"]);
});

it("a held Enter does not go on from Reload now to Reload anyway", async () => {
  page.show(<NewVersion isDownloading={false} onReload={note("reload")} onLater={() => undefined} />);
  const target = await button("Reload now");
  const press = (repeat: boolean) =>
    target.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", repeat, bubbles: true, cancelable: true }));
  expect(press(false)).toBe(true);
  expect(press(true)).toBe(false);
});
