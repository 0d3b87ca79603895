import { NativeSelect } from "@mantine/core";
import { useSearchParams } from "react-router-dom";
import type { DatasetOrder } from "../../../shared/api/datasets/dataset";

const ORDERS: readonly { value: DatasetOrder; label: string }[] = [
  { value: "-edited", label: "Last edited" },
  { value: "name", label: "Name" },
  { value: "id", label: "First created" },
];
const DEFAULT: DatasetOrder = "-edited";

/** Returns the order of the datasets from the URL (`?order=name`), and its setter, which goes to the first page. */
export function useDatasetOrder(): [DatasetOrder, (order: DatasetOrder) => void] {
  const [params, setParams] = useSearchParams();
  const setOrder = (order: DatasetOrder) =>
    setParams(
      (old) => {
        const changed = new URLSearchParams(old);
        changed.delete("page");
        if (order === DEFAULT) changed.delete("order");
        else changed.set("order", order);
        return changed;
      },
      { replace: true },
    );
  return [orderOf(params.get("order")), setOrder];
}

const orderOf = (text: string | null): DatasetOrder => ORDERS.find(({ value }) => value === text)?.value ?? DEFAULT;

interface Props {
  value: DatasetOrder;
  onChange: (order: DatasetOrder) => void;
}

/** Field for the order of the datasets. */
export const DatasetOrderField = ({ value, onChange }: Props) => (
  <NativeSelect
    size="xs"
    w={125}
    aria-label="Order of the datasets"
    data={[...ORDERS]}
    value={value}
    onChange={(event) => onChange(orderOf(event.currentTarget.value))}
  />
);
