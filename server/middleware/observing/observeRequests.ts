import type { Context, Middleware } from "koa";

/** A request that has ended. None of the texts is taken from the request, so their number is limited. */
export interface EndedRequest {
  method: string;
  /** Declared path of the call, like /api/image/{id}, or one name for all that are no calls. */
  route: string;
  /** Status of the response, or `aborted` if the client did not wait for its end. */
  status: string;
  /** Duration until the last byte was sent. */
  seconds: number;
}

/** Counts requests. */
export interface RequestObserver {
  requestStarted(): void;
  requestEnded(request: EndedRequest): void;
}

const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/** Notifies an observer of each request. The router stores the declared path in `ctx.state.route`. */
export function observeRequests(observer: RequestObserver, basePath: string): Middleware {
  return (ctx, next) => {
    const start = performance.now();
    observer.requestStarted();
    ctx.res.once("close", () =>
      observer.requestEnded({
        method: METHODS.has(ctx.method) ? ctx.method : "other",
        route: routeOf(ctx, basePath),
        status: ctx.res.writableFinished ? String(ctx.res.statusCode) : "aborted",
        seconds: (performance.now() - start) / 1_000,
      }),
    );
    return next();
  };
}

function routeOf({ state, originalUrl }: Context, basePath: string): string {
  if (typeof state.route === "string") return state.route;
  return originalUrl.startsWith(`${basePath}api`) ? "other calls" : "pages and files";
}
