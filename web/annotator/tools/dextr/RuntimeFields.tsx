import { Select, Text } from "@mantine/core";
import { useStore } from "zustand";
import type { Runtime, RuntimeChoice } from "../../../io/dextr";
import type { DextrPort } from "../tool";

const NAMES: Record<Runtime, string> = {
  webgpu: "WebGPU (graphics card)",
  wasm: "WebAssembly (processor)",
  server: "Server",
};
const CHOICES: { value: RuntimeChoice; label: string }[] = [
  { value: "auto", label: "Automatic" },
  { value: "webgpu", label: NAMES.webgpu },
  { value: "wasm", label: NAMES.wasm },
  { value: "server", label: NAMES.server },
];

/** Where the network runs, why there, and the choice of another place. */
export function RuntimeFields({ dextr }: { dextr: DextrPort }) {
  const { choice, runtime, why } = useStore(dextr.status);
  return (
    <div>
      <Select
        size="xs"
        label="Runtime"
        allowDeselect={false}
        data={CHOICES}
        value={choice}
        onChange={(value) => CHOICES.some((each) => each.value === value) && dextr.choose(value as RuntimeChoice)}
      />
      {runtime && (
        <Text size="xs" c="dimmed" mt={4}>
          {why || NAMES[runtime]}
        </Text>
      )}
    </div>
  );
}
