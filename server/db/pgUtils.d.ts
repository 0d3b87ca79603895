/** How pg turns a parameter into what it sends; pg's types leave it out. */
declare module "pg/lib/utils.js" {
  const utils: { prepareValue(value: unknown): string | Uint8Array | null };
  export default utils;
}
