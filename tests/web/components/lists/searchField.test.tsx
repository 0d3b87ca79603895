// @vitest-environment jsdom
import { MantineProvider } from "@mantine/core";
import { act, useState } from "react";
import { createRoot } from "react-dom/client";
import { expect, it, vi } from "vitest";
import { SearchField } from "../../../../web/components/lists/SearchField";
import { eventually } from "../../../support/eventually";

it("a space at the end of the text stays, although the search is applied without it", async () => {
  vi.stubGlobal("matchMedia", () => ({ matches: false, addEventListener() {}, removeEventListener() {} }));
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  const applied: string[] = [];
  function List() {
    const [search, setSearch] = useState("");
    const handleSearch = (text: string) => {
      applied.push(text);
      setSearch(text.trim());
    };
    return <SearchField label="Search" value={search} onChange={handleSearch} />;
  }
  const container = document.body.appendChild(document.createElement("div"));
  const root = createRoot(container);
  await act(async () =>
    root.render(
      <MantineProvider env="test">
        <List />
      </MantineProvider>,
    ),
  );
  const field = container.querySelector("input")!;
  const type = (text: string) =>
    act(async () => {
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")!.set!.call(field, text);
      field.dispatchEvent(new Event("input", { bubbles: true }));
    });
  await type("red ");
  await eventually(() => act(async () => expect(applied).toEqual(["red "])));
  expect(field.value).toBe("red ");
  await act(async () => root.unmount());
});
