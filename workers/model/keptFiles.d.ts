/** Written by scripts/keptFile.ts at build time. */
declare module "*?kept" {
  const file: {
    /** Relative to the script, or absolute. Contains a hash of the content. */
    address: string;
    bytes: number;
    /** Of the content, in hexadecimal. */
    sha256: string;
  };
  export default file;
}
