import type { Middleware } from "koa";

/**
 * Runs a middleware for paths under a prefix, which must end with a slash, and removes the prefix from the path that it
 * sees.
 */
export function mount(prefix: string, middleware: Middleware): Middleware {
  return async (ctx, next) => {
    const { path } = ctx;
    if (!path.startsWith(prefix)) return next();
    ctx.path = path.slice(prefix.length - 1);
    try {
      return await middleware(ctx, async () => {
        ctx.path = path;
        await next();
      });
    } finally {
      ctx.path = path;
    }
  };
}
