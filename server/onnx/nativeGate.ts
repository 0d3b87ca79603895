/**
 * Guards the moment at which a thread may be terminated. onnxruntime-node aborts the whole process when a thread is
 * terminated while it is in native code (seen with 1.30: "terminate called after throwing an instance of
 * 'Napi::Error'"). So the thread marks in shared memory that it enters native code, and checks when it leaves whether
 * it should go on.
 */
export type NativeGate = Int32Array<SharedArrayBuffer>;

const OUTSIDE = 0;
const INSIDE = 1;
const ENDED = 2;

/** A thread begins inside: it loads the runtime first. */
export function makeNativeGate(): NativeGate {
  const gate = new Int32Array(new SharedArrayBuffer(4));
  gate[0] = INSIDE;
  return gate;
}

/** In the thread, before native code. False: the thread is no longer wanted. */
export const enterNative = (gate: NativeGate): boolean => Atomics.compareExchange(gate, 0, OUTSIDE, INSIDE) === OUTSIDE;

/** In the thread, after native code. False: the thread is no longer wanted, and nobody else ends it. */
export const leaveNative = (gate: NativeGate): boolean => Atomics.compareExchange(gate, 0, INSIDE, OUTSIDE) === INSIDE;

/**
 * On the server, once: says that the thread is no longer wanted. True: it is outside and stays there, and may be
 * terminated.
 */
export const mayTerminate = (gate: NativeGate): boolean => Atomics.exchange(gate, 0, ENDED) !== INSIDE;
