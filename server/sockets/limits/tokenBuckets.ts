/** Rate of a budget: `burst` tokens at once, refilled with `perSecond` tokens. */
export interface Rate {
  burst: number;
  perSecond: number;
}

interface Bucket {
  tokens: number;
  /** Time at which `tokens` was computed, in milliseconds. */
  at: number;
}

const SWEEP_ABOVE = 1_000;

/** Token buckets by key, all with the same rate. Full buckets are removed. */
export class TokenBuckets<K> {
  private readonly buckets = new Map<K, Bucket>();
  private sweepAbove = SWEEP_ABOVE;

  constructor(
    private readonly rate: Rate,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Takes `cost` tokens. Returns false, and takes none, if there are fewer. */
  take(key: K, cost = 1): boolean {
    const bucket = this.filled(key);
    if (bucket.tokens < cost) return false;
    bucket.tokens -= cost;
    return true;
  }

  /** Takes one token, in advance if necessary. Returns the milliseconds until it is available. */
  reserve(key: K): number {
    const bucket = this.filled(key);
    bucket.tokens -= 1;
    return bucket.tokens >= 0 ? 0 : (-bucket.tokens / this.rate.perSecond) * 1000;
  }

  /** Returns true if a token is left. */
  hasAny(key: K): boolean {
    return this.filled(key).tokens >= 1;
  }

  /** Removes the bucket of a key that will not be used again. */
  forget(key: K): void {
    this.buckets.delete(key);
  }

  private filled(key: K): Bucket {
    const now = this.now();
    const known = this.buckets.get(key);
    if (known) {
      known.tokens = this.tokensAt(known, now);
      known.at = now;
      return known;
    }
    if (this.buckets.size > this.sweepAbove) this.sweep(now);
    const bucket = { tokens: this.rate.burst, at: now };
    this.buckets.set(key, bucket);
    return bucket;
  }

  private tokensAt({ tokens, at }: Bucket, now: number): number {
    return Math.min(this.rate.burst, tokens + ((now - at) / 1000) * this.rate.perSecond);
  }

  private sweep(now: number): void {
    for (const [key, bucket] of this.buckets)
      if (this.tokensAt(bucket, now) >= this.rate.burst) this.buckets.delete(key);
    this.sweepAbove = Math.max(SWEEP_ABOVE, this.buckets.size * 2);
  }
}
