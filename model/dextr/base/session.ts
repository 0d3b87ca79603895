/**
 * Number of planes of the input: red, green, blue in -1..1; heat map of the clicks on the border in 0..1; heat map of
 * corrections in -1..1, above 0 where the object was missed and below 0 where too much was taken.
 */
export const PLANES = 5;

/** Input of the network: all planes of height × width. */
export interface Tensor {
  data: Float32Array;
  height: number;
  width: number;
}

/**
 * Port to the network, implemented by one of the runtimes (workers/model/onnx.ts in the browser, server/onnx on the
 * server). Height and width are multiples of 32.
 */
export interface DextrSession {
  /** Returns a plane of height × width probabilities in 0..1. Rejects if the runtime fails. */
  run(input: Tensor): Promise<Float32Array>;
}
