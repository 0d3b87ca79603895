import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ConfigurationError } from "../../../server/base/errors";
import { sha256Of } from "../../../server/onnx/modelFile";
import { openDextr } from "../../../server/onnx/openDextr";
import { temporaryFolder } from "../../support/folders";
import { brightness, INPUT, OUTPUT, unbounded } from "../../support/networks";

describe("DEXTR_FILE", () => {
  const folder = temporaryFolder();
  let number = 0;
  function put(content: Buffer | string, manifest?: object | string): string {
    const file = join(folder, `${++number}.onnx`);
    writeFileSync(file, content);
    if (manifest)
      writeFileSync(join(folder, `${number}.json`), typeof manifest === "string" ? manifest : JSON.stringify(manifest));
    return file;
  }
  const named = (content: Buffer) => ({
    version: "1",
    sha256: sha256Of(content),
    bytes: content.length,
    size: 320,
    input: "input",
    output: "probability",
  });

  test("accepts any model of the required signature, with a manifest or without", async () => {
    const content = brightness();
    for (const [file, size] of [
      [put(content), null],
      [put(content, named(content)), 320],
    ] as const) {
      const dextr = await openDextr({ DEXTR_FILE: file });
      expect(await dextr.model()).toMatchObject({ file, size, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) });
      await dextr.close();
    }
  });

  test("an invalid file is refused with the reason in one line", async () => {
    const content = brightness();
    const wrong: [string, RegExp][] = [
      [put("Dear operator,\nthis is no network.\n"), /It cannot be loaded \(/],
      [put(""), /It cannot be loaded \(/],
      [put(content.subarray(0, content.length - 20)), /It cannot be loaded \(/],
      [folder, /It cannot be read \(EISDIR\)/],
      [join(folder, "gone.onnx"), /It cannot be read \(ENOENT\)/],
      [put(brightness({ input: { ...INPUT, name: "image" } })), /input is called "image" in place of "input"/],
      [put(brightness({ output: { ...OUTPUT, name: "mask" } })), /output is called "mask" in place of "probability"/],
      [put(brightness({ input: { ...INPUT, shape: ["n", 3, "h", "w"] } })), /input has the shape n × 3 × h × w/],
      [put(brightness({ input: { ...INPUT, shape: [1, 5, 256, 256] } })), /input has the shape 1 × 5 × 256 × 256/],
      [put(unbounded()), /Its outputs are not probabilities/],
      [put(content, "not JSON"), /\d+\.json next to it is not a valid manifest \(it is not JSON\)/],
      [put(content, { ...named(content), size: 8192 }), /not a valid manifest \(size: .*1024\)/],
      [put(content, { ...named(content), input: "image" }), /\.json next to it calls the input "image" instead of/],
      [put(content, { ...named(content), output: "mask" }), /calls the output "mask" instead of "probability"/],
      [put(content, { ...named(content), sha256: "0".repeat(64) }), /not the file that \d+\.json next to it describes/],
    ];
    for (const [file, reason] of wrong) {
      const refusal: unknown = await openDextr({ DEXTR_FILE: file }).catch((error: unknown) => error);
      expect(refusal, `${file} ${reason}`).toBeInstanceOf(ConfigurationError);
      const { message } = refusal as ConfigurationError;
      expect(message).toMatch(reason);
      expect(message).toMatch(/^DEXTR_FILE cannot be used\. .*\.$/);
    }
  });
});
