// Runs the server, restarted on every change, and Vite's development server, which proxies /api to it.

import { run } from "./run.mjs";

const port = process.env.PORT ?? "5000";
const server = run("tsx", ["watch", "--clear-screen=false", "server/main.ts"], { PORT: port });
const web = run("vite", ["dev"], { LIMN_SERVER: `http://127.0.0.1:${port}` });
process.exit((await Promise.race([server, web])) ?? 0);
