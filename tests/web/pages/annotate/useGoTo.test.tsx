// @vitest-environment jsdom
import { notifications, notificationsStore } from "@mantine/notifications";
import { act } from "react";
import { createRoot, type Root } from "react-dom/client";
import { MemoryRouter, useLocation, useNavigate } from "react-router-dom";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { confirmAway, noteResponse } from "../../../../web/io/http/reachability";
import { setLocalImages } from "../../../../web/io/images/imageAddress";
import { useGoTo } from "../../../../web/pages/annotate/useGoTo";
import { eventually } from "../../../support/eventually";

let root: Root;
let path: string;
let goTo: ReturnType<typeof useGoTo>;
let navigate: ReturnType<typeof useNavigate>;
/** Ends the look-up of an image in this browser. */
let find: Map<number, () => void>;

function Page() {
  const { pathname, search } = useLocation();
  path = pathname + search;
  navigate = useNavigate();
  return pathname.startsWith("/annotate/") && <Annotating id={pathname.slice("/annotate/".length)} />;
}

function Annotating({ id }: { id: string }) {
  goTo = useGoTo(id);
  return null;
}

beforeEach(async () => {
  notifications.clean();
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  vi.stubGlobal("fetch", async () => Promise.reject(new TypeError("offline")));
  await confirmAway();
  find = new Map();
  const fileOf = (id: number) =>
    new Promise<string>((resolve) => {
      find.set(id, () => resolve("blob:1"));
    });
  setLocalImages(async () => ({ fileOf, thumbnailOf: fileOf }));
  root = createRoot(document.createElement("div"));
  await act(async () =>
    root.render(
      <MemoryRouter initialEntries={["/annotate/7?order=path"]}>
        <Page />
      </MemoryRouter>,
    ),
  );
});
afterEach(async () => {
  await act(async () => root.unmount());
  setLocalImages(undefined);
  noteResponse();
});

const go = (id: number) => act(async () => goTo(id));
const found = (id: number) => act(async () => find.get(id)?.());
const warnings = () => notificationsStore.getState().notifications.map(({ message }) => message);

it("opens an image of this browser in the same list", async () => {
  await go(8);
  await found(8);
  expect(path).toBe("/annotate/8?order=path");
});

it("opens an image that is not in this browser once the server has just returned, and else says why not", async () => {
  setLocalImages(undefined);
  await go(8);
  await eventually(() => expect(warnings()).toEqual([expect.stringContaining("not in this browser")]));
  expect(path).toBe("/annotate/7?order=path");
  vi.stubGlobal("fetch", async () => new Response("{}", { headers: { "Content-Type": "application/json" } }));
  await go(8);
  await eventually(() => expect(path).toBe("/annotate/8?order=path"));
});

it("opens the image that was asked for last, although an earlier one is found later", async () => {
  await go(8);
  await go(9);
  await found(9);
  await found(8);
  expect(path).toBe("/annotate/9?order=path");
});

it("opens the image that was asked for last, although an earlier one is found before", async () => {
  await go(8);
  await go(9);
  await found(8);
  expect(path).toBe("/annotate/7?order=path");
  await found(9);
  expect(path).toBe("/annotate/9?order=path");
});

it.each(["/datasets", "/annotate/6"])("opens nothing when the user has gone to %s meanwhile", async (elsewhere) => {
  await go(8);
  await act(async () => navigate(elsewhere));
  await found(8);
  expect(path).toBe(elsewhere);
});
