/** Input of the network: four planes (red, green, blue in -1..1; heat map in 0..1) of height × width. */
export interface Tensor {
  data: Float32Array;
  height: number;
  width: number;
}

/**
 * The network as the recipe sees it: a port, behind which one of the runtimes stands (workers/model/onnx.ts in the browser,
 * server/onnx on the server). Height and width are multiples of 32.
 */
export interface DextrSession {
  /** A plane of height × width probabilities in 0..1. Rejects where the runtime fails. */
  run(input: Tensor): Promise<Float32Array>;
}
