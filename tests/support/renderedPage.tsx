import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { createRoot } from "react-dom/client";
import { MemoryRouter } from "react-router-dom";
import { expect, vi } from "vitest";
import { CurrentSession } from "../../web/queries/session";
import { eventually } from "./eventually";

const user = { id: 1, username: "ada", name: "", is_admin: true, anonymous: false, last_seen: null, preferences: {} };

/**
 * Returns a page in jsdom, without transitions. `respond` returns the JSON of a call such as `GET /api/info`; calls for
 * which it returns undefined are refused with 404. It may return a promise, which holds the response.
 */
export function makePage(respond: (call: string, body: unknown) => unknown) {
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", false);
  vi.stubGlobal("matchMedia", () => ({ matches: false, addEventListener() {}, removeEventListener() {} }));
  const NoObserver = class {
    observe() {}
    unobserve() {}
    disconnect() {}
  };
  vi.stubGlobal("ResizeObserver", NoObserver);
  vi.stubGlobal("IntersectionObserver", NoObserver);
  vi.stubGlobal("fetch", async (url: string | URL, { method = "GET", body }: RequestInit = {}) => {
    const found = await respond(
      `${method} ${new URL(url).pathname}`,
      typeof body === "string" ? JSON.parse(body) : undefined,
    );
    return new Response(JSON.stringify(found ?? { message: "Not found." }), {
      status: found === undefined ? 404 : 200,
    });
  });
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const container = document.body.appendChild(document.createElement("div"));
  const root = createRoot(container);
  const all = <E extends HTMLElement>(selector: string) => [...document.body.querySelectorAll<E>(selector)];
  const nameOf = (element: Element) => element.getAttribute("aria-label") ?? element.textContent;
  return {
    show: (page: ReactNode, path = "/") =>
      root.render(
        <MantineProvider env="test">
          <QueryClientProvider client={client}>
            <CurrentSession value={{ user, installation: "one", isRemembered: false }}>
              <MemoryRouter initialEntries={[path]}>{page}</MemoryRouter>
            </CurrentSession>
          </QueryClientProvider>
        </MantineProvider>,
      ),
    /** Loads all data again. */
    refetch: () => client.invalidateQueries(),
    /** Presses what has this name, as soon as it is there. */
    press: (name: string, selector = "button") =>
      eventually(() => {
        const element = all(selector).find((each) => nameOf(each) === name);
        return element ? element.click() : expect.unreachable(`There is no ${name}.`);
      }),
    dialog: () => all("[role=dialog]").at(-1),
    /** Returns the field of the dialog with this label, as soon as it is there. */
    field: (label: string) =>
      eventually(() => {
        const labels = all<HTMLLabelElement>("[role=dialog] label");
        const field = labels.find(({ textContent }) => textContent?.startsWith(label))?.control;
        return field instanceof HTMLInputElement ? field : expect.unreachable(`There is no field ${label}.`);
      }),
    close: () => {
      root.unmount();
      container.remove();
      client.clear();
    },
  };
}

/** Types text in place of what is in a field. */
export function typeInto(field: HTMLInputElement, text: string): void {
  field.focus();
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set?.call(field, text);
  field.dispatchEvent(new Event("input", { bubbles: true }));
}
