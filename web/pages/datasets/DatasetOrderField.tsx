import type { MessageDescriptor } from "@lingui/core";
import { msg, t } from "@lingui/core/macro";
import { NativeSelect } from "@mantine/core";
import { useSearchParams } from "react-router-dom";
import type { DatasetOrder } from "../../../shared/api/datasets/dataset";
import { i18n } from "../../languages/i18n";

const ORDERS: readonly { value: DatasetOrder; label: MessageDescriptor }[] = [
  { value: "-edited", label: msg`Last edited` },
  { value: "name", label: msg`Name` },
  { value: "id", label: msg`First created` },
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
    miw={125}
    aria-label={t`Order of the datasets`}
    data={ORDERS.map((order) => ({ value: order.value, label: i18n._(order.label) }))}
    value={value}
    onChange={(event) => onChange(orderOf(event.currentTarget.value))}
  />
);
