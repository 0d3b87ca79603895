import { describeOnServer } from "../../../support/databases";
import { testKilledTransfers } from "./killedTransfers";

describeOnServer("a server that is killed while it imports or exports", (open) => {
  testKilledTransfers(open, [1, 40, 84, 93]);
});
