/** An output that is written already, as JSON.stringify would have. */
export class JsonText {
  constructor(readonly text: string) {}
}
