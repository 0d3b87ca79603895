import { getHealth, getInfo, getLiveness, getReadiness } from "../../shared/api/info";
import { version } from "../base/version";
import { readInstallation } from "../db/installation";
import { countUsers } from "../features/access/identity";
import type { Dextr } from "../onnx/dextr";
import { type Route, route } from "./http/route";

export const infoRoutes: Route[] = [
  route(getInfo, async ({ services: { db, env, dextr } }) => {
    const users = await countUsers(db);
    return {
      name: env.NAME,
      git: { tag: version().tag },
      version: version().number,
      allow_registration: !env.LOGIN_DISABLED && (env.ALLOW_REGISTRATION || users === 0),
      login_enabled: !env.LOGIN_DISABLED,
      total_users: users,
      installation: (await readInstallation(db)).id,
      password_min: env.PASSWORD_MIN,
      help_url: env.HELP_URL ?? null,
      database: env.DATABASE_URL ? ("server" as const) : ("embedded" as const),
      dextr: await modelOf(dextr),
    };
  }),

  route(getHealth, async ({ services: { readiness } }) => {
    await readiness.requireDatabase();
    return { ready: true };
  }),

  // The response itself proves that the event loop turns.
  route(getLiveness, async () => ({ live: true })),

  route(getReadiness, async ({ services: { readiness } }) => {
    await readiness.requireReady();
    return { ready: true };
  }),
];

async function modelOf(dextr: Dextr) {
  const model = await dextr.model();
  if (!model) return null;
  const { sha256, bytes, size } = model;
  return { sha256, bytes, path: `model/dextr/${sha256}.onnx`, size };
}
