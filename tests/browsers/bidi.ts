import { z } from "zod";
import { withinTime } from "../../shared/async/timeLimit";
import { type BrowserPage, dragActions, isNetworkError, keyActions, type Place } from "./browserPage";

const message = z.object({
  id: z.number().nullish(),
  type: z.string(),
  method: z.string().optional(),
  params: z.unknown().optional(),
  result: z.unknown().optional(),
  error: z.string().optional(),
  message: z.string().optional(),
});
const tree = z.object({ contexts: z.array(z.object({ context: z.string() })).min(1) });
const evaluated = z.object({
  type: z.string(),
  result: z.object({ value: z.unknown().optional() }).optional(),
  exceptionDetails: z.object({ text: z.string() }).optional(),
});
const logEntry = z.object({ level: z.string(), text: z.string().nullable() });

/** Time limit for the browser's response to one call, in milliseconds. */
const CALL_LIMIT = 60_000;

interface Call {
  resolve: (result: unknown) => void;
  reject: (error: Error) => void;
}

/** A page in a browser that speaks WebDriver BiDi (https://www.w3.org/TR/webdriver-bidi/). */
export class BidiPage implements BrowserPage {
  private readonly found: string[] = [];
  private readonly calls = new Map<number, Call>();
  private count = 0;
  private context = "";

  private constructor(private readonly socket: WebSocket) {
    socket.addEventListener("message", ({ data }) => {
      const { data: read, error } = message.safeParse(JSON.parse(String(data)));
      if (read) this.read(read);
      else for (const { reject } of this.calls.values()) reject(error);
    });
  }

  /** Connects to a browser's address and takes its first tab. */
  static async open(address: string): Promise<BidiPage> {
    const socket = new WebSocket(`${address}/session`);
    await new Promise<void>((resolve, reject) => {
      socket.addEventListener("open", () => resolve(), { once: true });
      socket.addEventListener("error", () => reject(new Error(`${address} cannot be reached`)), { once: true });
    });
    const page = new BidiPage(socket);
    await page.call("session.new", { capabilities: {} });
    await page.call("session.subscribe", { events: ["log.entryAdded", "browsingContext.userPromptOpened"] });
    page.context = tree.parse(await page.call("browsingContext.getTree", {})).contexts[0]!.context;
    const viewport = { width: 1280, height: 800 };
    await page.call("browsingContext.setViewport", { context: page.context, viewport });
    return page;
  }

  errors(): readonly string[] {
    return this.found;
  }

  async goto(url: string): Promise<void> {
    await this.call("browsingContext.navigate", { context: this.context, url, wait: "complete" });
  }

  async reload(): Promise<void> {
    await this.call("browsingContext.reload", { context: this.context, wait: "complete" });
  }

  async evaluate(expression: string): Promise<unknown> {
    const result = evaluated.parse(
      await this.call("script.evaluate", {
        expression: `(async () => JSON.stringify((await (${expression})) ?? null))()`,
        target: { context: this.context },
        awaitPromise: true,
      }),
    );
    if (result.type !== "success") throw new Error(result.exceptionDetails?.text ?? `${expression} failed`);
    return JSON.parse(String(result.result?.value));
  }

  async keys(keys: readonly string[], held: readonly string[] = []): Promise<void> {
    await this.act(keyActions(keys, held));
  }

  async drag(places: readonly Place[]): Promise<void> {
    await this.act(dragActions(places));
  }

  close(): void {
    this.socket.close();
  }

  private async act(source: object): Promise<void> {
    await this.call("input.performActions", { context: this.context, actions: [source] });
  }

  private call(method: string, params: object): Promise<unknown> {
    const id = ++this.count;
    const answer = new Promise((resolve, reject) => {
      this.calls.set(id, { resolve, reject });
      this.socket.send(JSON.stringify({ id, method, params }));
    });
    return withinTime(CALL_LIMIT, answer, () => {
      return new Error(`Firefox did not answer ${method} ${JSON.stringify(params).slice(0, 500)}`);
    });
  }

  private read({ id, type, method, params, result, error, message: text }: z.infer<typeof message>): void {
    if (type === "event" && method === "log.entryAdded") {
      const { data } = logEntry.safeParse(params);
      if (data?.level === "error" && !isNetworkError(data.text ?? "")) this.found.push(data.text ?? "");
    }
    // The browser responds to no call until the prompt is closed.
    if (type === "event" && method === "browsingContext.userPromptOpened") {
      for (const { reject } of this.calls.values()) reject(new Error(`Firefox asks ${JSON.stringify(params)}`));
      this.calls.clear();
    }
    const call = id == null ? undefined : this.calls.get(id);
    if (!call || id == null) return;
    this.calls.delete(id);
    if (type === "error") call.reject(new Error(`${error}: ${text}`));
    else call.resolve(result);
  }
}
