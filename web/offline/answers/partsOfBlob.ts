/** Length of the text that becomes one part, in characters. */
const CHARACTERS = 1_000_000;

/** A list of JSON items that grows outside JavaScript's memory: browsers may store blobs on disk. */
export class PartsOfBlob {
  private readonly blobs: Blob[] = [];
  private text = "";
  private isEmpty = true;

  addItem(item: unknown): void {
    this.text += `${this.isEmpty ? "" : ","}${JSON.stringify(item)}`;
    this.isEmpty = false;
    if (this.text.length < CHARACTERS) return;
    this.blobs.push(new Blob([this.text]));
    this.text = "";
  }

  /** Returns the items separated by commas. */
  parts(): (Blob | string)[] {
    return [...this.blobs, this.text];
  }
}
