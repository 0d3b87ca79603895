import { plural, t } from "@lingui/core/macro";
import type { ShownFinding } from "../../../../shared/api/datasets/quality";
import { numberText } from "../../../languages/formats";

/** Returns what was measured, in a few words; an empty text if there is nothing to add. */
export function detailText({ kind, details, category, annotation, other_annotation }: ShownFinding): string {
  const number = (name: string) => Number(details[name] ?? 0);
  const count = (name: string, digits = 0) => numberText(number(name), { maximumFractionDigits: digits });
  switch (kind) {
    case "leak": {
      const [split, other] = [String(details.split), String(details.otherSplit)];
      return t`${split} and ${other}`;
    }
    case "similarImage": {
      const bits = count("bits");
      return t`${bits} of 128 bits of the image hash differ`;
    }
    case "unreadable":
      return String(details.problem ?? "");
    case "turned": {
      const orientation = count("orientation");
      return t`EXIF orientation ${orientation}`;
    }
    case "duplicate":
    case "contradiction": {
      const share = numberText(number("overlap"), { style: "percent" });
      const first = annotation?.category ?? "";
      const second = other_annotation?.category ?? "";
      return kind === "duplicate" ? t`${first}, ${share} shared` : t`${first} and ${second}, ${share} shared`;
    }
    case "boxMismatch":
    case "outside":
    case "pointsOutside":
      return plural(Math.round(number("pixels")), { one: "off by # pixel", other: "off by # pixels" });
    case "sliver": {
      const [length, thickness] = [count("length"), count("thickness", 1)];
      return t`${length} pixels long, ${thickness} thick`;
    }
    case "tiny":
      return plural(Math.round(number("area")), { one: "# pixel", other: "# pixels" });
    case "crossing": {
      const share = numberText(number("share"), { style: "percent" });
      return t`${share} of the area`;
    }
    case "pieces":
      return plural(number("pieces"), { one: "# piece", other: "# pieces" });
    case "missingPoint":
      return plural(number("count"), { one: "# keypoint", other: "# keypoints" });
    case "unlikelyCategory": {
      const [name, likely] = [category?.name ?? "", String(details.likelyName ?? "")];
      return t`${name}; looks like ${likely}`;
    }
    case "unlikelyOutline": {
      const share = numberText(number("overlap"), { style: "percent" });
      return t`${share} shared with DEXTR's outline`;
    }
    case "unusualSize":
    case "unusualShape": {
      const [name, factor] = [category?.name ?? "", factorText(number("factor"))];
      return t`${name}: ${factor} times the median`;
    }
    case "rareCategory": {
      const [found, median] = [count("count"), count("median")];
      return t`${found} annotations; the median category has ${median}`;
    }
    default:
      return "";
  }
}

const factorText = (factor: number): string => numberText(factor, { maximumSignificantDigits: 2 });
