import { describe } from "vitest";
import { testKilledTransfers } from "./killedTransfers";

describe("a server with the embedded database that is killed while it imports or exports", () => {
  // Kills while it reads, stores, shows, and finishes. The database is in the server's own folder.
  testKilledTransfers(async () => null, [1, 40, 65, 84, 93, 99]);
});
