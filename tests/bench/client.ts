/** A script that uses the REST API with HTTP Basic and JSON, as any external script would. */
export class Client {
  readonly headers: Record<string, string>;

  constructor(
    readonly url: string,
    username = "bench",
    password = "bench-password",
  ) {
    this.headers = { Authorization: `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}` };
  }

  async register(username = "bench", password = "bench-password"): Promise<void> {
    await this.send("POST", "user/register", { username, password });
  }

  async get<T>(path: string): Promise<T> {
    return (await this.fetch("GET", path)).json() as Promise<T>;
  }

  async send<T>(method: string, path: string, body?: unknown): Promise<T> {
    const json = body === undefined ? undefined : JSON.stringify(body);
    return (await this.fetch(method, path, json, { "Content-Type": "application/json" })).json() as Promise<T>;
  }

  async fetch(method: string, path: string, body?: BodyInit, headers: Record<string, string> = {}): Promise<Response> {
    const response = await fetch(`${this.url}api/${path}`, { method, body, headers: { ...this.headers, ...headers } });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return response;
  }

  /** Waits until a task has ended. Returns it, and throws if it failed. */
  async finished(taskId: number): Promise<{ state: string; result: unknown }> {
    for (;;) {
      const tasks = await this.get<{ id: number; state: string; result: unknown }[]>("tasks/");
      const task = tasks.find(({ id }) => id === taskId);
      if (!task) throw new Error(`Task ${taskId} is gone`);
      if (task.state === "done") return task;
      if (task.state !== "queued" && task.state !== "running") throw new Error(`Task ${taskId} ${task.state}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}
