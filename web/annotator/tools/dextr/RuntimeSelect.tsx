import { t } from "@lingui/core/macro";
import { Select } from "@mantine/core";
import { useStore } from "zustand";
import type { RuntimeChoice } from "../../../io/dextr/dextr";
import type { DextrPort } from "../common/ports";

const choices = (): { value: RuntimeChoice; label: string }[] => [
  { value: "auto", label: t`Automatic` },
  { value: "webgpu", label: "WebGPU" },
  { value: "wasm", label: "WebAssembly" },
  { value: "server", label: t`Server` },
];

/** Field for choosing the runtime of the network. */
export function RuntimeSelect({ dextr }: { dextr: DextrPort }) {
  const choice = useStore(dextr.status, (status) => status.choice);
  const choose = (value: string | null) => {
    const chosen = choices().find((each) => each.value === value);
    if (chosen) dextr.choose(chosen.value);
  };
  return (
    <Select size="xs" label={t`Runtime`} allowDeselect={false} data={choices()} value={choice} onChange={choose} />
  );
}
