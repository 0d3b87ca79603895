/**
 * Prevents a thread from being terminated in native code: onnxruntime-node would abort the whole process (seen with
 * 1.30: "terminate called after throwing an instance of 'Napi::Error'"). The thread marks in shared memory when it
 * enters native code, and when it leaves checks whether it should continue.
 */
export type NativeGate = Int32Array<SharedArrayBuffer>;

const OUTSIDE = 0;
const INSIDE = 1;
const ENDED = 2;

/** Returns a gate in the state "inside", since a thread starts by loading the runtime. */
export function makeNativeGate(): NativeGate {
  const gate = new Int32Array(new SharedArrayBuffer(4));
  gate[0] = INSIDE;
  return gate;
}

/** Called in the thread before native code. Returns false if the thread is no longer needed. */
export const enterNative = (gate: NativeGate): boolean => Atomics.compareExchange(gate, 0, OUTSIDE, INSIDE) === OUTSIDE;

/** Called in the thread after native code. Returns false if the thread is no longer needed and must end itself. */
export const leaveNative = (gate: NativeGate): boolean => Atomics.compareExchange(gate, 0, INSIDE, OUTSIDE) === INSIDE;

/**
 * Called once on the server to end the thread. Returns true if the thread is outside native code; it then cannot enter
 * it again and may be terminated.
 */
export const mayTerminate = (gate: NativeGate): boolean => Atomics.exchange(gate, 0, ENDED) !== INSIDE;
