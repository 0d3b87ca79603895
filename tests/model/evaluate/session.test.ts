import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openNetwork } from "../../../model/evaluate/session";
import { temporaryFolder } from "../../support/folders";
import { brightness, INPUT } from "../../support/networks";

const folder = temporaryFolder();

it("opens a network whatever the name of its file", async () => {
  const file = join(folder, "network");
  writeFileSync(file, brightness());
  const { session, size } = await openNetwork(file, 1);
  expect(size).toBe(256);
  const answer = await session.run({ data: new Float32Array(5 * 32 * 32).fill(1), height: 32, width: 32 });
  expect([answer.length, answer[0]]).toEqual([32 * 32, 1]);
});

it("runs a network that takes no corrections", async () => {
  const file = join(folder, "older");
  writeFileSync(file, brightness({ input: { ...INPUT, shape: ["n", 4, "h", "w"] } }));
  const { session } = await openNetwork(file, 1);
  const answer = await session.run({ data: new Float32Array(5 * 32 * 32).fill(1), height: 32, width: 32 });
  expect([answer.length, answer[0]]).toEqual([32 * 32, 1]);
});

it("names an invalid manifest and the reason", async () => {
  for (const [content, why] of [
    ["no JSON", /broken\.json is not a manifest \(it is not JSON\)\.$/],
    ["{}", /broken\.json is not a manifest \(version: .*\)\.$/],
  ] as const) {
    writeFileSync(join(folder, "broken.onnx"), brightness());
    writeFileSync(join(folder, "broken.json"), content);
    await expect(openNetwork(join(folder, "broken.onnx"), 1)).rejects.toThrow(why);
  }
});
