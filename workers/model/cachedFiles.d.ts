/** Written by scripts/cachedFile.ts at build time. */
declare module "*?cached" {
  const file: {
    /** Relative to the script, or absolute. Contains a hash of the content. */
    address: string;
    bytes: number;
    /** Hash of the content, in hexadecimal. */
    sha256: string;
  };
  export default file;
}
