import type { Page, Request, Route } from "@playwright/test";

/** A response that is held back until it is released: a slow network whose order the test decides. */
export interface HeldBack {
  /** Resolves when the request has arrived, and with `after: "response"` when the server has processed it. */
  arrived: Promise<void>;
  /** Releases this response, and all later ones that match. */
  release(): Promise<void>;
}

interface Wanted {
  method?: string;
  /** Matches the part of the address after `/api/`. */
  path: RegExp;
  /** A parameter that the address must have. */
  parameter?: string;
  /**
   * `response`: the server has responded, and the page has not received it; `request`: the server has not received the
   * request.
   */
  after?: "response" | "request";
}

/** Holds back the next matching call of a page, and passes all others on. */
export async function holdBack(page: Page, { after = "response", ...wanted }: Wanted): Promise<HeldBack> {
  let held = false;
  const arrived = signal();
  const released = signal();
  const finished = signal();
  const isWanted = matcher(wanted);
  const handle = async (route: Route) => {
    if (held || !isWanted(route.request())) return route.fallback();
    held = true;
    const response = after === "response" ? await route.fetch() : undefined;
    arrived.give();
    await released.given;
    // Fails if the page was closed or has aborted the call.
    await (response ? route.fulfill({ response }) : route.continue()).catch(() => undefined);
    finished.give();
  };
  await page.route("**/api/**", handle);
  return {
    arrived: arrived.given,
    async release() {
      released.give();
      if (held) await finished.given;
      // The route stays and passes everything on, because removing it would lose calls in flight.
      held = true;
    },
  };
}

/** Refuses all matching calls of a page until the returned function is called. The server does not receive them. */
export async function refuseCalls(page: Page, wanted: Omit<Wanted, "after">): Promise<() => void> {
  let isOver = false;
  const isWanted = matcher(wanted);
  await page.route("**/api/**", (route) =>
    isOver || !isWanted(route.request())
      ? route.fallback()
      : route.fulfill({ status: 400, json: { message: REFUSAL } }),
  );
  return () => {
    isOver = true;
  };
}

/** Message of a refused call. The page does not retry a 400. */
export const REFUSAL = "Not now.";

function matcher({ method = "GET", path, parameter }: Omit<Wanted, "after">) {
  return (request: Request): boolean => {
    const { pathname, searchParams } = new URL(request.url());
    const isThere = parameter === undefined || searchParams.has(parameter);
    return request.method() === method && isThere && path.test(pathname.split("/api/")[1] ?? "");
  };
}

function signal() {
  let give = () => {};
  const given = new Promise<void>((resolve) => {
    give = resolve;
  });
  return { given, give };
}
