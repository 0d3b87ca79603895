/** A value that is loaded when it is first needed. A failed load is tried again at the next call of `get`. */
export class OnDemand<T> {
  private loading: Promise<T> | undefined;
  private noteLoaded!: (value: T) => void;
  /** Resolves with the value once it has been loaded. Does not load it. */
  readonly loaded: Promise<T> = new Promise((resolve) => {
    this.noteLoaded = resolve;
  });

  constructor(private readonly load: () => Promise<T>) {}

  /** Returns the value, and loads it at the first call. Rejects as the load does. */
  get(): Promise<T> {
    this.loading ??= this.start();
    return this.loading;
  }

  private async start(): Promise<T> {
    try {
      const value = await this.load();
      this.noteLoaded(value);
      return value;
    } catch (error) {
      this.loading = undefined;
      throw error;
    }
  }
}
