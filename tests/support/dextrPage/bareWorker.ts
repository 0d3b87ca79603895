import wasmFile from "onnxruntime-web/ort-wasm-simd-threaded.wasm?cached";
import modelFile from "../../../model/dextr.onnx?cached";
import { loadCachedFile } from "../../../workers/model/cachedFile";
import { openOnnx } from "../../../workers/model/onnx";

/** Responds to a message {size, rounds} with the milliseconds of each warm `session.run`, and does nothing else. */
self.onmessage = async ({ data }: MessageEvent<{ size: number; rounds: number }>) => {
  const { size, rounds } = data;
  const at = (address: string) => new URL(address, self.location.href).href;
  const [wasm, model] = await Promise.all(
    [wasmFile, modelFile].map((file) => loadCachedFile({ ...file, address: at(file.address) })),
  );
  const session = await openOnnx("wasm", wasm!, model!);
  const times: number[] = [];
  for (let round = -3; round < rounds; round++) {
    const input = { data: new Float32Array(5 * size * size), height: size, width: size };
    const started = performance.now();
    await session.run(input);
    if (round >= 0) times.push(performance.now() - started);
  }
  self.postMessage(times);
};
