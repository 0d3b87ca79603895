/** pg's conversion of a parameter to its wire form, which is missing from pg's types. */
declare module "pg/lib/utils.js" {
  const utils: { prepareValue(value: unknown): string | Uint8Array | null };
  export default utils;
}
