import { describeOnServer } from "../../../support/databases";
import { testKilledTransfers } from "./killedTransfers";

describeOnServer("a server that is killed while it imports or exports", (open) => {
  // Each kill takes the 30 seconds after which another process may claim the task.
  testKilledTransfers(open, [15, 84, 93]);
});
