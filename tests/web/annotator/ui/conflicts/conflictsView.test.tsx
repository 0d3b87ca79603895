// @vitest-environment jsdom
import { MantineProvider } from "@mantine/core";
import { act, useState } from "react";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { ConflictsView } from "../../../../../web/annotator/ui/conflicts/ConflictsView";
import type { Choice, Conflict } from "../../../../../web/sync/journal/syncState";

/** Returns the conflict of an image whose labels two users changed. */
const conflictOf = (imageId: number): Conflict => ({
  edit: {
    uuid: `00000000-0000-4000-8000-00000000000${imageId}`,
    image_id: imageId,
    base: 1,
    subject: "image",
    action: "modify",
    before: { labels: [] },
    after: { labels: [1] },
  },
  fields: ["labels"],
  stored: { labels: [2] },
  revision: 2,
  reason: "",
});

const container = document.body.appendChild(document.createElement("div"));
let root: Root;
/** Decisions so far, as image and choice. */
let decided: string[];
/** Ends the running decision. */
let store: (() => void) | undefined;

function Page() {
  const [conflicts, setConflicts] = useState([1, 2, 3].map(conflictOf));
  const resolve = async (chosen: readonly Conflict[], choice: Choice) => {
    decided.push(`${chosen[0]?.edit.image_id} ${choice}`);
    await new Promise<void>((resolve) => {
      store = resolve;
    });
    setConflicts((all) => all.filter((each) => !chosen.includes(each)));
  };
  return <ConflictsView conflicts={conflicts} nameOf={() => undefined} onResolve={resolve} />;
}

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "requestAnimationFrame", "cancelAnimationFrame"] });
  vi.stubGlobal("matchMedia", () => ({ matches: false, addEventListener() {}, removeEventListener() {} }));
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  Element.prototype.scrollIntoView ??= () => undefined;
  decided = [];
  root = createRoot(container);
  await act(async () =>
    root.render(
      <MantineProvider env="test">
        <Page />
      </MantineProvider>,
    ),
  );
});
afterEach(async () => {
  await act(async () => root.unmount());
  vi.useRealTimers();
});

const press = (key: string, repeat = false) =>
  act(async () => {
    container
      .querySelector("[role=listbox]")
      ?.dispatchEvent(new KeyboardEvent("keydown", { key, repeat, bubbles: true, cancelable: true }));
  });
const click = (name: string, detail: number) =>
  act(async () => {
    [...container.querySelectorAll("button")]
      .find((each) => each.textContent?.startsWith(name))
      ?.dispatchEvent(new MouseEvent("click", { detail, bubbles: true, cancelable: true }));
  });
const shown = () => container.querySelector("[role=option][aria-selected=true]")?.textContent;
/** Ends the running decision, so that the next conflict is selected, but not painted yet. */
const endDecision = () => act(async () => store?.());
const paint = () => act(async () => vi.runAllTimers());

it("a held key decides one conflict, but arrow keys may be held", async () => {
  await press("t");
  await press("t", true);
  await endDecision();
  await paint();
  expect(shown()).toContain("Image 2");
  await press("t", true);
  expect(decided).toEqual(["1 theirs"]);
  await press("ArrowDown", true);
  expect(shown()).toContain("Image 3");
});

it("the second click of a double click decides nothing", async () => {
  await click("Keep theirs", 1);
  await endDecision();
  await paint();
  await click("Keep theirs", 2);
  expect(decided).toEqual(["1 theirs"]);
  await click("Keep theirs", 1);
  await endDecision();
  await paint();
  // As by Enter or Space.
  await click("Keep mine", 0);
  expect(decided).toEqual(["1 theirs", "2 theirs", "3 mine"]);
});

it("a second press decides the next conflict only after it has been painted", async () => {
  await press("t");
  await press("t");
  await endDecision();
  expect(shown()).toContain("Image 2");
  await press("t");
  expect(decided).toEqual(["1 theirs"]);
  await paint();
  await press("m");
  expect(decided).toEqual(["1 theirs", "2 mine"]);
});
