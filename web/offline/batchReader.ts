/**
 * Reads values by id, with one query for all that are requested at the same time: a page of a list requests fifty rows,
 * each in its own component.
 */
export class BatchReader<T> {
  private ids: number[] = [];
  private reading: Promise<ReadonlyMap<number, T | undefined>> | undefined;

  constructor(private readonly readAll: (ids: readonly number[]) => PromiseLike<readonly (T | undefined)[]>) {}

  async read(id: number): Promise<T | undefined> {
    this.ids.push(id);
    this.reading ??= Promise.resolve().then(() => this.readWaiting());
    return (await this.reading).get(id);
  }

  private async readWaiting(): Promise<ReadonlyMap<number, T | undefined>> {
    const ids = this.ids;
    this.ids = [];
    this.reading = undefined;
    const values = await this.readAll(ids);
    return new Map(ids.map((id, i) => [id, values[i]]));
  }
}
