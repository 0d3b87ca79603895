// @vitest-environment jsdom
import { MantineProvider } from "@mantine/core";
import { act } from "react";
import { createRoot } from "react-dom/client";
import { expect, it, vi } from "vitest";
import { FindingCard } from "../../../../../web/pages/dataset/quality/FindingCard";

const FINDING = {
  id: 1,
  kind: "rareCategory" as const,
  score: 1,
  details: {},
  is_ignored: false,
  image: null,
  other_image: null,
  annotation: null,
  other_annotation: null,
  category: { id: 4, name: "cat" },
};

it.each(["Fix", "Ignore"])("a double click on %s leaves the next finding, which moves there, alone", async (name) => {
  vi.stubGlobal("matchMedia", () => ({ matches: false, addEventListener() {}, removeEventListener() {} }));
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  const container = document.body.appendChild(document.createElement("div"));
  const root = createRoot(container);
  const done: string[] = [];
  await act(async () =>
    root.render(
      <MantineProvider env="test">
        <FindingCard finding={FINDING} onFix={() => done.push("Fix")} onIgnore={() => done.push("Ignore")} />
      </MantineProvider>,
    ),
  );
  const click = (detail: number) => {
    const button = [...container.querySelectorAll("button")].find((each) => each.textContent === name);
    button?.dispatchEvent(new MouseEvent("click", { detail, bubbles: true, cancelable: true }));
  };
  await act(async () => click(2));
  expect(done).toEqual([]);
  await act(async () => click(1));
  // As by Enter or Space.
  await act(async () => click(0));
  expect(done).toEqual([name, name]);
  await act(async () => root.unmount());
});
