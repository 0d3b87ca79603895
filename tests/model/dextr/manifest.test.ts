import { describe, expect, it } from "vitest";
import { manifest, manifestPathOf, parseManifest } from "../../../model/dextr/manifest";
import { inputFor, signatureFault, type TensorReport } from "../../../model/dextr/signature";

const input: TensorReport = { name: "input", isTensor: true, type: "float32", shape: ["batch", 5, "height", "width"] };
const output: TensorReport = { ...input, name: "probability", shape: ["n", 1, "h", "w"] };
const names = { input: "input", output: "probability" };

describe("checkSignature", () => {
  it("accepts free batch, height and width, whatever their names", () => {
    expect(signatureFault([input], [output], names)).toBeNull();
    expect(signatureFault([{ ...input, shape: [-1, 5, -1, -1] }], [output], names)).toBeNull();
  });

  it("accepts a network without corrections, which gets the other planes", () => {
    const older = [{ ...input, shape: ["n", 4, "h", "w"] }];
    expect(signatureFault(older, [output], names)).toBeNull();
    const tensor = { data: Float32Array.of(1, 2, 3, 4, 5), height: 1, width: 1 };
    expect(inputFor(older, tensor)).toEqual({ data: Float32Array.of(1, 2, 3, 4), dims: [1, 4, 1, 1] });
    expect(inputFor([input], tensor)).toEqual({ data: tensor.data, dims: [1, 5, 1, 1] });
  });

  it.each<[string, TensorReport[], TensorReport[], string]>([
    ["another input", [{ ...input, name: "image" }], [output], 'called "image" in place of "input"'],
    ["two inputs", [input, input], [output], "2 inputs"],
    ["no output", [input], [], "0 outputs"],
    ["three channels", [{ ...input, shape: ["n", 3, "h", "w"] }], [output], "n × 3 × h × w in place of n × 5"],
    ["a fixed size", [{ ...input, shape: [1, 5, 256, 256] }], [output], "1 × 5 × 256 × 256"],
    ["two classes", [input], [{ ...output, shape: ["n", 2, "h", "w"] }], "Its output has the shape n × 2"],
    ["half precision", [{ ...input, type: "float16" }], [output], "not a float32 tensor"],
    ["a sequence", [input], [{ name: "probability", isTensor: false }], "not a float32 tensor"],
    ["no shape", [{ ...input, shape: undefined }], [output], "in place of n × 5"],
  ])("reports the reason for %s", (_, inputs, outputs, why) => {
    expect(signatureFault(inputs, outputs, names)).toContain(why);
  });
});

describe("readManifest", () => {
  const right = { version: "1", sha256: "0".repeat(64), bytes: 7, size: 256, ...names };

  it("returns the file and how to run it", () => {
    expect(manifest.parse(right)).toEqual(right);
  });

  it("finds the manifest beside its file, whatever the file's extension", () => {
    expect(["a/net.onnx", "a/net", "a/net.bin"].map(manifestPathOf)).toEqual([
      "a/net.json",
      "a/net.json",
      "a/net.bin.json",
    ]);
  });

  it("reports why a manifest is invalid", () => {
    expect(parseManifest(JSON.stringify(right))).toEqual(right);
    expect(() => parseManifest("<onnx>")).toThrow("it is not JSON");
    expect(() => parseManifest(JSON.stringify({ ...right, size: 100 }))).toThrow(/^size: /);
  });

  it.each([{ size: 100 }, { size: 0 }, { size: 1056 }, { sha256: "abc" }, { bytes: 0 }, { input: "" }, { version: 1 }])(
    "refuses %j",
    (part) => {
      expect(manifest.safeParse({ ...right, ...part }).success).toBe(false);
    },
  );
});
