import { TookTooLong } from "./failure";

/** What the promise brings, or TookTooLong after so many milliseconds. */
export async function within<T>(ms: number, promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new TookTooLong()), ms);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}
