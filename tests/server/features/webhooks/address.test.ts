import { afterAll, beforeAll, expect, it } from "vitest";
import { describeOnOneDatabase } from "../../../support/databases";
import { seedDataset } from "../../../support/factories";
import { startServer, type TestServer, type TestUser } from "../../../support/server";

describeOnOneDatabase("addresses of webhooks", (open) => {
  let server: TestServer;
  let owner: TestUser;
  let path: string;
  beforeAll(async () => {
    server = await startServer(await open());
    owner = await server.user("ada");
    path = `dataset/${await seedDataset(server.db, { ownerId: owner.id })}/webhooks`;
  });
  afterAll(() => server.close());

  const add = (url: string) => owner.post(path, { url, events: ["image.done"] });

  it.each([
    "http://127.0.0.1/",
    "http://0x7f.1/",
    "http://[::1]/",
    "http://10.1.2.3/",
    "http://169.254.169.254/latest",
  ])("refuses %s", async (url) => {
    expect(await add(url)).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining("is not on the public internet") },
    });
  });

  it.each(["ftp://example.org/", "example.org", "https://ann:pass@example.org/", "https://"])(
    "refuses %s, which is no plain web address",
    async (url) => expect((await add(url)).status).toBe(400),
  );

  it("allows ten webhooks in a dataset", async () => {
    for (let i = 0; i < 10; i++) expect((await add(`https://example.org/${i}`)).status).toBe(200);
    expect(await add("https://example.org/11")).toMatchObject({ status: 409 });
  });
});
