import { t } from "@lingui/core/macro";
import { durationText } from "../../../components/durationText";
import { serverText } from "../../../languages/serverText";
import { numberText } from "./numberText";
import classes from "./Statistics.module.css";

/** Named numbers as the server sends them, with times in readable units. */
export function Numbers({ numbers }: { numbers: Record<string, number> }) {
  return (
    <dl className={classes.numbers}>
      {Object.entries(numbers).map(([name, value]) => {
        const [label, text] = readable(name, value);
        return (
          <div key={name}>
            <dt>{label}</dt>
            <dd>{text}</dd>
          </div>
        );
      })}
    </dl>
  );
}

function readable(name: string, value: number): [string, string] {
  // The server's key is misleading, but kept for older clients: the value is the width.
  if (name === "Image Size (px)") return [t`Image Width (px)`, numberText(value)];
  if (name.includes(" (ms)")) return [serverText(name.replace(" (ms)", "")), measuredText(value)];
  if (name.endsWith(" (s)")) return [serverText(name.replace(" (s)", "")), measuredText(value * 1000)];
  return [serverText(name), numberText(value)];
}

/** Returns a time, or a dash if none was measured. */
const measuredText = (milliseconds: number): string => (milliseconds === 0 ? "–" : durationText(milliseconds));
