/** Returns a generator of numbers in (0, 1], the same for the same seed: a hashed counter. */
export function uniforms(seed: number): () => number {
  let count = 0;
  return () => (mixed(mixed(seed) + count++) + 1) / 2 ** 32;
}

/** Returns a pseudo-random 32-bit integer. Constants: the finaliser of MurmurHash3. */
function mixed(value: number): number {
  let bits = (value + 0x9e3779b9) | 0;
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}
