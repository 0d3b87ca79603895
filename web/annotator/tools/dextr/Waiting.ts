import { t } from "@lingui/core/macro";
import type { Point } from "../../canvas/view/view";
import type { CursorPort, DextrPort, NotePort } from "../common/ports";

type Ports = CursorPort & NotePort & { dextr: DextrPort };

/** Shows a note beside a point: that the network is computing, or the percentage of the model that is loaded. */
export class Waiting {
  private stopListening: () => void = () => undefined;

  constructor(private readonly ports: Ports) {}

  begin(at: Point | null): void {
    this.end();
    const showProgress = () => this.ports.showNote(this.text(), at);
    this.ports.showCursor("progress");
    this.stopListening = this.ports.dextr.status.subscribe(showProgress);
    showProgress();
  }

  end(): void {
    this.stopListening();
    this.ports.showCursor(null);
    this.ports.showNote(null, null);
  }

  private text(): string {
    const { loading } = this.ports.dextr.status.getState();
    if (!loading) return t`Looking for the outline…`;
    const share = loading.total > 0 ? ` ${Math.round((100 * loading.received) / loading.total)}%` : "";
    return t`Loading the DEXTR model…${share}`;
  }
}
