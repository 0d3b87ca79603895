import type { Page, Request, Route } from "@playwright/test";

/** A response that is held back until it is released: a slow network whose order the test decides. */
export interface HeldBack {
  /** Resolves when the request is there, and (with `after: "response"`) the server has dealt with it. */
  arrived: Promise<void>;
  /** Lets it go on, and all later ones of its kind. */
  release(): Promise<void>;
}

interface Wanted {
  method?: string;
  /** Of the address behind `/api/`. */
  path: RegExp;
  /** `response`: the server has answered, and the page does not know yet; `request`: the server knows nothing yet. */
  after?: "response" | "request";
}

/** Holds back the next matching call of a page, and passes on all others. */
export async function holdBack(page: Page, { method = "GET", path, after = "response" }: Wanted): Promise<HeldBack> {
  let held = false;
  const arrived = signal();
  const released = signal();
  const finished = signal();
  const isWanted = matcher(method, path);
  const handle = async (route: Route) => {
    if (held || !isWanted(route.request())) return route.fallback();
    held = true;
    const response = after === "response" ? await route.fetch() : undefined;
    arrived.give();
    await released.given;
    // A page that has gone, or has given up the call, no longer waits for it.
    await (response ? route.fulfill({ response }) : route.continue()).catch(() => undefined);
    finished.give();
  };
  await page.route("**/api/**", handle);
  return {
    arrived: arrived.given,
    async release() {
      released.give();
      if (held) await finished.given;
      // The route stays, and lets all pass: taking it away would lose calls that are under way.
      held = true;
    },
  };
}

/** Refuses all matching calls of a page until the result is called. The server does not see them. */
export async function refuseCalls(page: Page, { method = "GET", path }: Omit<Wanted, "after">): Promise<() => void> {
  let isOver = false;
  const isWanted = matcher(method, path);
  await page.route("**/api/**", (route) =>
    isOver || !isWanted(route.request())
      ? route.fallback()
      : route.fulfill({ status: 400, json: { message: REFUSAL } }),
  );
  return () => {
    isOver = true;
  };
}

/** Message of a refused call. The page does not repeat a 400 by itself. */
export const REFUSAL = "Not now.";

const matcher = (method: string, path: RegExp) => (request: Request) =>
  request.method() === method && path.test(new URL(request.url()).pathname.split("/api/")[1] ?? "");

function signal() {
  let give = () => {};
  const given = new Promise<void>((resolve) => {
    give = resolve;
  });
  return { given, give };
}
