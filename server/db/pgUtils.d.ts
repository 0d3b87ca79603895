/** pg's conversion of a parameter to its wire form, which pg's types leave out. */
declare module "pg/lib/utils.js" {
  const utils: { prepareValue(value: unknown): string | Uint8Array | null };
  export default utils;
}
