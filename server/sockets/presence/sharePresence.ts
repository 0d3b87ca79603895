import { randomUUID } from "node:crypto";
import { keyOf, type Presence, type PresenceChange } from "../../live/presence";
import type { Present } from "../../live/presentUsers";
import type { PresenceMessage, WirePresent } from "../../live/processEvents";
import type { LiveServer } from "../../live/socketLive";
import { Batches } from "./batches";
import { OtherProcesses } from "./otherProcesses";

const BATCH_MS = 250;
const ALIVE_EVERY_MS = 1_000;

/** Exchanges presence with the other processes: sends the changes in batches, and all users on request. */
export class SharedPresence {
  private readonly ownId = randomUUID();
  private readonly others: OtherProcesses;
  private readonly changes = new Map<string, PresenceChange>();
  private readonly pulse: NodeJS.Timeout;
  private readonly batches = new Batches(() => this.sendBatch());
  private number = 0;
  private isRequested = false;
  private isSilent = false;
  private hasEnded = false;

  constructor(
    private readonly io: LiveServer,
    private readonly presence: Presence,
  ) {
    this.others = new OtherProcesses(presence, (of) => this.send({ kind: "ask", from: this.ownId, of }));
    presence.onChangeHere((change) => {
      this.changes.set(keyOf(change), change);
      this.batches.sendSoon();
    });
    io.on("presence", (message) => this.receiveMessage(message));
    this.pulse = setInterval(() => {
      if (this.isSilent) this.send({ kind: "alive", from: this.ownId, number: this.number });
      this.isSilent = true;
      this.others.forgetSilent();
    }, ALIVE_EVERY_MS);
    this.pulse.unref();
  }

  /** Announces the end of this process, and sends nothing after that. */
  signOff(): void {
    this.send({ kind: "gone", from: this.ownId });
    this.hasEnded = true;
    clearInterval(this.pulse);
    this.batches.stop();
  }

  private receiveMessage(message: PresenceMessage): void {
    if (message.kind !== "ask") this.others.receiveMessage(message);
    else if (message.of === this.ownId) {
      this.isRequested = true;
      this.batches.sendSoon();
    }
  }

  private sendBatch(): number {
    this.number += 1;
    const { ownId: from, number } = this;
    if (this.isRequested) this.send({ kind: "all", from, number, people: this.presence.usersHere().map(wireOf) });
    else {
      const changes = [...this.changes.values()].map((change) => [...wireOf(change), change.active] as const);
      this.send({ kind: "changes", from, number, changes: changes.map((change) => [...change]) });
    }
    this.isRequested = false;
    this.changes.clear();
    return BATCH_MS;
  }

  private send(message: PresenceMessage): void {
    if (this.hasEnded) return;
    this.isSilent = false;
    this.io.serverSideEmit("presence", message);
  }
}

const wireOf = ({ imageId, datasetId, username }: Present): WirePresent => [imageId, datasetId, username];
