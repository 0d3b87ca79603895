import { expect, test } from "vitest";
import { colorInPalette, colorOfName, PALETTES } from "../../../shared/color/palettes";

/**
 * Returns a colour as people without one kind of cones see it: the nearest values of the other two kinds (Viénot 1999).
 */
function seenWithout(kind: "red" | "green", hex: string): [number, number, number] {
  const [r, g, b] = [1, 3, 5].map((at) => (Number.parseInt(hex.slice(at, at + 2), 16) / 255) ** 2.2) as [
    number,
    number,
    number,
  ];
  const l = 17.8824 * r + 43.5161 * g + 4.11935 * b;
  const m = 3.45565 * r + 27.1554 * g + 3.86714 * b;
  const s = 0.0299566 * r + 0.184309 * g + 1.46709 * b;
  return kind === "red" ? [2.02344 * m - 2.52581 * s, m, s] : [l, 0.494207 * l + 1.24827 * s, s];
}

test("the colours of each palette differ with both kinds of red-green blindness", () => {
  for (const colors of Object.values(PALETTES))
    for (const kind of ["red", "green"] as const)
      for (const [i, one] of colors.entries())
        for (const other of colors.slice(i + 1)) {
          const [a, b] = [seenWithout(kind, one), seenWithout(kind, other)];
          const difference = Math.max(
            ...a.map((value, axis) => Math.abs(Math.log((value + 0.02) / (b[axis]! + 0.02)))),
          );
          expect(difference, `${kind} ${one} ${other}`).toBeGreaterThan(0.15);
        }
});

test("palettes repeat, and a name always has the same colour", () => {
  expect(colorInPalette("Tol bright", 6)).toBe(PALETTES["Tol bright"][0]);
  expect(colorOfName("ada")).toBe(colorOfName("ada"));
  expect(colorOfName("")).toMatch(/^#[0-9a-f]{6}$/);
});
