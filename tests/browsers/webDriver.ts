import { setTimeout as wait } from "node:timers/promises";
import { z } from "zod";
import { type BrowserPage, dragActions, keyActions, type Place } from "./browserPage";
import { RECORDED } from "./recorder";

const answer = z.object({ value: z.unknown() });
const failure = z.object({ error: z.string(), message: z.string() });
const session = z.object({ sessionId: z.string() });
const evaluated = z.union([z.object({ value: z.string() }), z.object({ error: z.string() })]);

/** Width and height of the part of the window that shows the page, as in the other browsers. */
const [WIDTH, HEIGHT] = [1280, 800];

/**
 * A page in a browser that speaks WebDriver (https://www.w3.org/TR/webdriver2/). WebDriver does not report the console,
 * so `errors` returns those that `startRecorder` has recorded.
 */
export class WebDriverPage implements BrowserPage {
  private constructor(private readonly address: string) {}

  /** Starts a browser through the driver at an address. */
  static async open(driver: string, capabilities: object): Promise<WebDriverPage> {
    const body = { capabilities: { alwaysMatch: capabilities } };
    const { sessionId } = session.parse(await call("POST", `${driver}/session`, body));
    const page = new WebDriverPage(`${driver}/session/${sessionId}`);
    await page.call("POST", "window/rect", { width: WIDTH, height: HEIGHT });
    const bars = z.number().parse(await page.evaluate("outerHeight - innerHeight"));
    await page.call("POST", "window/rect", { width: WIDTH, height: HEIGHT + bars });
    return page;
  }

  async errors(): Promise<readonly string[]> {
    return z.array(z.string()).parse(await this.evaluate(RECORDED));
  }

  async goto(url: string): Promise<void> {
    await this.call("POST", "url", { url });
  }

  async reload(): Promise<void> {
    await this.call("POST", "refresh", {});
  }

  async evaluate(expression: string): Promise<unknown> {
    const script = `const done = arguments[0];
      (async () => JSON.stringify((await (${expression})) ?? null))().then(
        (value) => done({ value }), (error) => done({ error: String(error) }));`;
    const result = evaluated.parse(await this.call("POST", "execute/async", { script, args: [] }));
    if ("error" in result) throw new Error(result.error);
    return JSON.parse(result.value);
  }

  async keys(keys: readonly string[], held: readonly string[] = []): Promise<void> {
    await this.act(keyActions(keys, held));
  }

  async drag(places: readonly Place[]): Promise<void> {
    await this.act(dragActions(places));
  }

  async close(): Promise<void> {
    await this.call("DELETE", "");
  }

  private async act(source: object): Promise<void> {
    await this.call("POST", "actions", { actions: [source] });
  }

  private call(method: string, path: string, body?: object): Promise<unknown> {
    return call(method, path ? `${this.address}/${path}` : this.address, body);
  }
}

/** Waits until a driver accepts connections. */
export async function driverIsReady(driver: string): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    const found = await fetch(`${driver}/status`).catch(() => undefined);
    if (found) return;
    await wait(50);
  }
  throw new Error(`${driver} cannot be reached.`);
}

async function call(method: string, url: string, body?: object): Promise<unknown> {
  const response = await fetch(url, { method, ...(body && { body: JSON.stringify(body) }) });
  const { value } = answer.parse(await response.json());
  const { data } = failure.safeParse(value);
  if (data && !response.ok) throw new Error(`${data.error}: ${data.message}`);
  return value;
}
