import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ConfigurationError } from "../../../server/errors";
import { sha256Of } from "../../../server/onnx/modelFile";
import { openDextr } from "../../../server/onnx/openDextr";
import { temporaryFolder } from "../../support/folders";
import { brightness, INPUT, OUTPUT, unbounded } from "../../support/networks";

describe("DEXTR_FILE", { timeout: 60_000 }, () => {
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
  const square = (side: number) => ({
    input: { name: "input", shape: [1, 4, side, side] },
    output: { name: "probability", shape: [1, 1, side, side] },
  });

  test("may be any network of the signature, with free or fixed sides, with a manifest or none", async () => {
    const content = brightness();
    for (const [file, size] of [
      [put(content), null],
      [put(content, named(content)), 320],
      [put(brightness(square(96))), 96],
    ] as const) {
      const dextr = await openDextr({ DEXTR_FILE: file });
      expect(await dextr.model()).toMatchObject({ file, size, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) });
      await dextr.close();
    }
  });

  test("is refused with the reason, in one line", async () => {
    const content = brightness();
    const wrong: [string, RegExp][] = [
      [put("Dear operator,\nthis is no network.\n"), /it cannot be loaded \(/],
      [put(""), /it cannot be loaded \(/],
      [put(content.subarray(0, content.length - 20)), /it cannot be loaded \(/],
      [folder, /it cannot be read \(EISDIR\)/],
      [join(folder, "gone.onnx"), /it cannot be read \(ENOENT\)/],
      [put(brightness({ input: { ...INPUT, name: "image" } })), /one input, named "input"/],
      [put(brightness({ output: { ...OUTPUT, name: "mask" } })), /no output named "probability"/],
      [put(brightness({ input: { ...INPUT, shape: ["n", 3, "h", "w"] } })), /four channels/],
      [
        put(brightness({ input: { ...INPUT, shape: ["n", 4, "h"] }, output: { ...OUTPUT, shape: ["n", 1, "h"] } })),
        /four dimensions/,
      ],
      [put(brightness({ input: { ...INPUT, shape: [2, 4, "h", "w"] } })), /batch/],
      [put(brightness(square(100))), /multiple of 32/],
      [put(brightness({ input: { ...INPUT, shape: ["n", 4, 64, 96] } })), /multiple of 32/],
      [put(unbounded()), /no probabilities/],
      [put(content, "not JSON"), /\.json beside it is no manifest/],
      [put(content, { ...named(content), sha256: "0".repeat(64) }), /not the file that \d+\.json names/],
    ];
    for (const [file, reason] of wrong) {
      const refusal: unknown = await openDextr({ DEXTR_FILE: file }).catch((error: unknown) => error);
      expect(refusal, `${file} ${reason}`).toBeInstanceOf(ConfigurationError);
      const { message } = refusal as ConfigurationError;
      expect(message).toMatch(reason);
      expect(message).toMatch(/^DEXTR_FILE cannot be used: .*\.$/);
    }
  });
});
